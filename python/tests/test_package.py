"""Types, stubs, and the examples of the documentation."""

import doctest
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import riverhawk as rh

CONFIG = str(Path(__file__).parents[1] / "pyproject.toml")


def check(*command: str) -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_what_the_module_has() -> None:
    check("mypy.stubtest", "--mypy-config-file", CONFIG, "riverhawk._engine")


def test_the_package_and_its_tests_have_strict_types() -> None:
    check("mypy", "--config-file", CONFIG, "--cache-dir=/dev/null", "-p", "riverhawk")
    check("mypy", "--config-file", CONFIG, "--cache-dir=/dev/null", str(Path(__file__).parent))


def documented() -> Iterator[tuple[str, str]]:
    yield "riverhawk", rh.__doc__ or ""
    for name in rh.__all__:
        found = getattr(rh, name)
        if name.startswith("__"):
            continue
        assert inspect.getdoc(found), f"{name} has no documentation"
        yield name, inspect.getdoc(found) or ""
        if inspect.isclass(found) and not issubclass(found, Exception):
            for member, value in vars(found).items():
                if not member.startswith("_") and (
                    callable(value) or inspect.isdatadescriptor(value)
                ):
                    doc = inspect.getdoc(value)
                    assert doc, f"{name}.{member} has no documentation"
                    yield f"{name}.{member}", doc


@pytest.mark.parametrize(("name", "text"), list(documented()))
def test_examples(name: str, text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_chapter_shows_what_happens() -> None:
    chapter = Path(__file__).parents[2] / "docs" / "python.md"
    text = chapter.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", str(chapter), 0)
    assert len(test.examples) > 20
    assert doctest.DocTestRunner().run(test).failed == 0
