"""An awk in process: programs compiled once and run over files, bytes and iterables.

>>> import riverhawk as rh
>>> rh.awk('{ n[$1] += $2 } END { for (k in n) print k, n[k] }', input='tea 2\\nmilk 1\\ntea 5\\n').text
'tea 7\\nmilk 1\\n'
"""

from . import text
from ._engine import (
    ByteStream,
    Cancel,
    Decoder,
    Program,
    Regex,
    Result,
    Stream,
    Table,
    __version__,
    compile,
)
from ._errors import Diagnostic, RegexError, RuntimeError, StatusError, SyntaxError, TableError
from ._files import append, edit_file, edit_file_lines, prepend, read_dir, slurp, spew
from ._oneshot import awk
from ._records import backwards, fields, records
from ._settings import Limits, Permissions
from ._table import table

__all__ = [
    "ByteStream",
    "Cancel",
    "Decoder",
    "Diagnostic",
    "Limits",
    "Permissions",
    "Program",
    "Regex",
    "RegexError",
    "Result",
    "RuntimeError",
    "StatusError",
    "Stream",
    "SyntaxError",
    "Table",
    "TableError",
    "__version__",
    "append",
    "awk",
    "backwards",
    "compile",
    "edit_file",
    "edit_file_lines",
    "fields",
    "prepend",
    "read_dir",
    "records",
    "slurp",
    "spew",
    "table",
    "text",
]
