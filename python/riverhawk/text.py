"""Text in characters as readers see them, by Unicode 18.0.

>>> from riverhawk import text
>>> text.graphemes('a🇫🇷')
['a', '🇫🇷']
"""

from ._engine import grapheme_count, graphemes, is_normalized, normalize, width

__all__ = ["grapheme_count", "graphemes", "is_normalized", "normalize", "width"]
