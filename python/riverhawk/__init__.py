"""An awk in process: programs compiled once and run over files, bytes and iterables.

>>> import riverhawk as rh
>>> rh.awk('{ n[$1] += $2 } END { for (k in n) print k, n[k] }', input='tea 2\\nmilk 1\\ntea 5\\n').text
'tea 7\\nmilk 1\\n'
"""

from ._engine import Program, Result, __version__, compile
from ._errors import RuntimeError, StatusError, SyntaxError
from ._oneshot import awk
from ._settings import Limits, Permissions

__all__ = [
    "Limits",
    "Permissions",
    "Program",
    "Result",
    "RuntimeError",
    "StatusError",
    "SyntaxError",
    "__version__",
    "awk",
    "compile",
]
