"""Pure: does a command line carry a program of its own? `sh -c ...` is any program whatever.

Catches what people and models write, not a determined opponent: `launch_programs` is the sure way.
"""

import re
from collections.abc import Sequence
from pathlib import PurePath

from memory_store.retrieval.applications import kind_of, product_of

_SHELL = re.compile(r"-[a-zA-Z]*c|--command\b")
_EVAL = re.compile(r"-[a-zA-Z0-9]*[eE]|-p$|--?(eval|print|exec(ute)?)\b|eval$")
_TERMINAL = re.compile(r"-[exc]$|--(command|execute|exec|hold)\b|--$|-e=")
_INLINE = {
    **dict.fromkeys("sh bash dash ash zsh ksh mksh yash csh tcsh fish busybox".split(), _SHELL),
    **dict.fromkeys("python pythonw pypy ipython guile".split(), re.compile(r"-[bBdEiIOPqsSuvx]*c")),
    **dict.fromkeys(
        "perl ruby node nodejs deno bun lua luajit julia r rscript osascript emacs".split(), _EVAL
    ),
    "php": re.compile(r"-[rBRE]|--(run|process)"),
    **dict.fromkeys("powershell pwsh".split(), re.compile(r"(?i)-(c|e)")),
    "cmd": re.compile(r"(?i)/[ck]"),
    **dict.fromkeys("awk gawk mawk nawk".split(), re.compile(r"")),
}


def inline_program(argv: Sequence[str]) -> str | None:
    """What makes a command line a program of its own, like `sh -c`; also behind `env` or a terminal."""
    for at, word in enumerate(argv):
        name, rest = _name(word), argv[at + 1 :]
        flag, given = _INLINE.get(name), _options(rest)
        if flag is None and _is_terminal(name):
            flag, given = _TERMINAL, rest
        if flag and (hit := next((one for one in given if flag.match(one)), None)) is not None:
            return f"{name} {hit[:20]}"
    return None


def _options(words: Sequence[str]) -> Sequence[str]:
    """What an interpreter reads itself: up to its script, the first word that cannot belong to an option."""
    taken: list[str] = []
    for word in words:
        taken.append(word)
        if not word.startswith(("-", "/")) and not (len(taken) > 1 and taken[-2].startswith("-")):
            break
    return taken


def _name(word: str) -> str:
    """A program's name without its folder and its version: `/usr/bin/python3.11` is python."""
    name = PurePath(word).name.casefold().removesuffix(".exe")
    return re.sub(r"[-.\d]+$", "", name) or name


def _is_terminal(name: str) -> bool:
    return kind_of(product_of(name)) == "terminal"
