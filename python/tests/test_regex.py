"""Regular expressions."""

import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import riverhawk as rh


def test_the_longest_of_the_leftmost_is_found() -> None:
    assert rh.Regex("a|ab|abc").find_all("xabcab") == ["abc", "ab"]


def test_text_and_bytes() -> None:
    regex = rh.Regex("ü+")
    assert regex.find("äüü!") == (1, 3)
    assert regex.find("äüü!".encode()) == (2, 6)
    assert regex.split("aüb") == ["a", "b"]
    assert regex.split("aüb".encode()) == [b"a", b"b"]
    assert rh.Regex(b"\\377").find(b"a\xff") == (1, 2)
    assert rh.Regex("\\377").find("é\udcff") == (1, 2)
    bad: Any = 5
    uses: list[Any] = [
        regex.is_match,
        regex.find,
        regex.find_all,
        regex.captures,
        regex.split,
        rh.Regex,
    ]
    for use in uses:
        with pytest.raises(TypeError):
            use(bad)


def test_case() -> None:
    assert rh.Regex("tea", ignore_case=True).is_match("TEA")
    assert not rh.Regex("tea").is_match("TEA")


def test_groups() -> None:
    regex = rh.Regex("(a)|(b)(c*)")
    assert regex.captures("xbcc") == ["bcc", None, "b", "cc"]
    assert regex.captures("x") is None


def test_replacing() -> None:
    regex = rh.Regex("[0-9]+")
    assert regex.replace("a1b22", "&\\1") == "a&\\1b&\\1"
    assert regex.replace("a1b22", lambda number: str(int(number) * 2)) == "a2b44"
    assert regex.replace(b"a1b22", b"", count=1) == b"ab22"
    assert regex.replace("none", "x") == "none"
    assert rh.Regex("x*").replace("abc", "-") == "-a-b-c-"
    bad: Any = b""
    with pytest.raises(TypeError):
        regex.replace("a1", bad)
    with pytest.raises(TypeError):
        regex.replace("a1", lambda _: bad)
    with pytest.raises(ZeroDivisionError):
        regex.replace("a1", lambda _: str(1 // 0))


def test_a_pattern_that_is_none() -> None:
    with pytest.raises(rh.RegexError) as caught:
        rh.Regex("a(b")
    assert isinstance(caught.value, ValueError)
    assert (caught.value.pattern, caught.value.pos) == ("a(b", 1)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_regex_is_drawn_and_pickled() -> None:
    regex = rh.Regex("a+", ignore_case=True)
    assert repr(regex) == "Regex('a+', ignore_case=True)"
    copy = pickle.loads(pickle.dumps(regex))
    assert (copy.pattern, copy.is_match("A")) == ("a+", True)


def test_threads_share_a_regex() -> None:
    regex = rh.Regex("x[ab]*y")
    text = "xab" * 50_000 + "y"
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: regex.find(text), range(40))) == {(149_997, 150_001)}


@given(st.text(alphabet="aéb\n"), st.sampled_from(["a+", "[ab]", "é", "b$", "^a", "a|é"]))
def test_answers_are_those_of_re_where_they_agree(text: str, pattern: str) -> None:
    ours, theirs = rh.Regex(pattern), re.compile(pattern.replace("$", r"\Z"))
    assert ours.find_all(text) == theirs.findall(text)
    found = theirs.search(text)
    assert ours.find(text) == (found and found.span())
