"""Decoders, and text in characters."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import riverhawk as rh
from riverhawk import text


@given(st.text(), st.integers(1, 7), st.sampled_from(["utf-8", "utf-16le"]))
def test_cuts_do_not_matter(data: str, size: int, encoding: str) -> None:
    data = data.replace("\ufeff", "")
    encoded = data.encode(encoding)
    decoder = rh.Decoder(encoding)
    taken = ""
    for at in range(0, len(encoded), size):
        decoder.feed(encoded[at : at + size])
        taken += decoder.take_available()
    decoder.finish()
    assert taken + decoder.take_available() == data
    assert decoder.is_empty
    assert (decoder.byte_offset, decoder.bytes_available) == (len(encoded), 0)


def test_lines_and_separators() -> None:
    decoder = rh.Decoder(separators=["--", ";"])
    decoder.feed(b"a;b--c")
    assert decoder.take_lines() == ["a", "b"]
    decoder.finish()
    assert (decoder.take_line(), decoder.take_line()) == ("c", None)
    with pytest.raises(ValueError):
        rh.Decoder(separators=[""])


def test_an_error_comes_after_the_lines_before_it() -> None:
    decoder = rh.Decoder("ascii")
    decoder.feed(b"one\ntw\xffo\nthree\n")
    assert decoder.take_lines() == ["one"]
    with pytest.raises(UnicodeDecodeError) as caught:
        decoder.take_lines()
    assert (caught.value.encoding, caught.value.object) == ("ascii", b"\xff")
    assert "line 2, column 3" in caught.value.reason
    assert (decoder.take_available(), decoder.take_bytes(1)) == ("tw", b"\xff")
    assert decoder.take_lines() == ["o", "three"]
    for errors, expected in [("replace", "a\ufffdb"), ("ignore", "ab")]:
        lenient = rh.Decoder("ascii", errors=errors)
        lenient.feed(b"a\xffb")
        assert lenient.take_available() == expected


def test_characters_and_graphemes() -> None:
    decoder = rh.Decoder()
    decoder.feed("e\u0301ü".encode())
    assert decoder.take_chars(1) == "e"
    assert decoder.take_chars(9) is None
    decoder.feed(b"e")
    assert decoder.take_chars(2) == "\u0301ü"
    assert decoder.take_graphemes(1) is None
    decoder.feed("\u0301x".encode())
    assert decoder.take_graphemes(1) == "e\u0301"
    assert decoder.take_bytes(5) is None


class Pairs:
    """Each character is two hexadecimal digits."""

    name = "pairs"

    def decode(self, data: bytes, final: bool) -> tuple[str, int]:
        decoded, at = "", 0
        while at + 2 <= len(data):
            try:
                decoded += chr(int(data[at : at + 2], 16))
            except ValueError:
                raise UnicodeDecodeError(self.name, data, at, at + 2, "no digits") from None
            at += 2
        return decoded, at


def test_an_encoding_of_ones_own() -> None:
    decoder = rh.Decoder(Pairs())
    for byte in b"746561e40a6d":
        decoder.feed(bytes([byte]))
    assert decoder.take_line() == "teaä"
    decoder.feed(b"zz69")
    with pytest.raises(UnicodeDecodeError) as caught:
        decoder.take_chars(2)
    assert caught.value.object == b"zz"
    decoder.finish()
    assert (decoder.take_available(), decoder.take_bytes(2)) == ("m", b"zz")
    assert decoder.take_available() == "i"
    decoder.feed(b"7")
    decoder.finish()
    with pytest.raises(UnicodeDecodeError):
        decoder.take_available()


def test_an_encoding_that_fails() -> None:
    class Broken:
        name = "broken"

        def __init__(self, result: Any) -> None:
            self.result = result

        def decode(self, data: bytes, final: bool) -> Any:
            if isinstance(self.result, Exception):
                raise self.result
            return self.result

    for result, error in [(LookupError("x"), LookupError), (5, TypeError), (("a", 9), ValueError)]:
        decoder = rh.Decoder(Broken(result))
        decoder.feed(b"a")
        with pytest.raises(error):
            decoder.take_available()


def test_arguments_of_wrong_types() -> None:
    bad: Any
    for bad in [5, object()]:
        with pytest.raises(TypeError):
            rh.Decoder(bad)
    with pytest.raises(LookupError):
        rh.Decoder("no-such")
    with pytest.raises(ValueError):
        rh.Decoder(errors="surrogateescape")
    bad = "text"
    with pytest.raises(TypeError):
        rh.Decoder().feed(bad)


@given(st.text())
def test_text_is_unicodes(sample: str) -> None:
    assert "".join(text.graphemes(sample)) == sample
    assert text.grapheme_count(sample) == len(text.graphemes(sample))
    assert text.is_normalized("NFC", text.normalize("NFC", sample))


@given(st.text(alphabet=st.characters(max_codepoint=0x24F)))
def test_normal_forms_are_those_of_python(sample: str) -> None:
    for form in ["NFC", "NFD", "NFKC", "NFKD"]:
        known: Any = form
        assert text.normalize(form, sample) == unicodedata.normalize(known, sample)
        assert text.is_normalized(form, sample) == unicodedata.is_normalized(known, sample)


def test_forms_and_widths() -> None:
    with pytest.raises(ValueError):
        text.normalize("NFX", "a")
    assert text.width("a\u0301茶") == 3
    assert text.grapheme_count("\udcff") == 1
