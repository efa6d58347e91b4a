"""Files: there or not, and what their text is."""

import os
import stat
from abc import abstractmethod
from typing import Annotated, Literal

from pydantic import Field

from memory_store.evaluators.compare import TextOptions, decode
from memory_store.evaluators.opening import (
    Artifact,
    check_inside,
    missing,
    modified,
    open_regular,
    read,
    sha256_of,
    unreadable,
)
from memory_store.evaluators.outcome import CouldNotRun, Finding, clip, found
from memory_store.evaluators.pattern import search
from memory_store.evaluators.scene import Scene, Spec
from memory_store.evaluators.template import PathTemplate, Place, RegexTemplate, TextTemplate

_AROUND = 40
"""Characters of a file that a report shows at most: what was read may be private, and reports are kept."""


class FileExists(Spec):
    """A file or folder is there, or is gone."""

    kind: Literal["file_exists"] = "file_exists"
    path: PathTemplate
    exists: bool = True
    type: Literal["file", "folder"] = "file"
    min_bytes: Annotated[int, Field(ge=0, description="A smaller file does not count.")] = 0

    def run(self, scene: Scene) -> Finding:
        """Whether it is there."""
        place = scene.values.path(self.path, "path")
        if not self.exists:
            return _gone(place)
        if self.type == "folder":
            return _folder(place)
        file = open_regular(place, "path")
        if file is None:
            return missing(place)
        with file:
            size = os.fstat(file.fileno()).st_size
            digest = sha256_of(file, scene.limits.digest_bytes)
        says = f"{place.path} has {size} bytes"
        return found(
            size >= self.min_bytes,
            says,
            sha256=digest,
            path=str(place.path),
            bytes=size,
            min_bytes=self.min_bytes,
        )


class _TextFile(Spec):
    path: PathTemplate
    options: TextOptions = TextOptions()

    def run(self, scene: Scene) -> Finding:
        """Read the text, then compare."""
        place = scene.values.path(self.path, "path")
        artifact = read(place, "path", scene.limits.file_bytes)
        if artifact is None:
            return missing(place)
        return self.compare(artifact, decode(artifact.data, self.options.encoding, "options.encoding"), scene)

    @abstractmethod
    def compare(self, artifact: Artifact, text: str, scene: Scene) -> Finding:
        """What the text says."""


class FileEquals(_TextFile):
    """The whole text of a file."""

    kind: Literal["file_equals"] = "file_equals"
    equals: TextTemplate

    def compare(self, artifact: Artifact, text: str, scene: Scene) -> Finding:
        """Whether it is all and only that."""
        wanted = self.options.normal(scene.values.text(self.equals, "equals"))
        text = self.options.normal(text)
        at = _first_difference(text, wanted)
        says = "the text is as wanted" if at is None else f"the text differs from character {at} on"
        near = slice(max(0, (at or 0) - _AROUND), (at or 0) + _AROUND)
        return found(
            at is None,
            says,
            artifact.facts,
            sha256=artifact.sha256,
            seen=text[near],
            wanted=wanted[near],
            characters=len(text),
            differs_at=at,
        )


class FileContains(_TextFile):
    """A piece of text in a file, at least `times` times."""

    kind: Literal["file_contains"] = "file_contains"
    contains: Annotated[TextTemplate, Field(min_length=1)]
    times: Annotated[int, Field(ge=1)] = 1

    def compare(self, artifact: Artifact, text: str, scene: Scene) -> Finding:
        """Whether it is in there."""
        options = self.options.model_copy(update={"trailing_newline": "exact"})
        wanted = options.normal(scene.values.text(self.contains, "contains"))
        if not wanted:
            raise CouldNotRun("contains", "nothing is left to look for", "give the input a value")
        text = options.normal(text)
        count = text.count(wanted)
        says = f"the text is there {count} {'time' if count == 1 else 'times'}, {self.times} wanted"
        return found(
            count >= self.times,
            says if count >= self.times else says + _otherwise(text, wanted),
            artifact.facts,
            sha256=artifact.sha256,
            wanted=clip(wanted),
            times=count,
            characters=len(text),
        )


class FileRegex(_TextFile):
    """A regular expression that matches somewhere in a file; `^` and `$` stand for lines."""

    kind: Literal["file_regex"] = "file_regex"
    regex: RegexTemplate

    def compare(self, artifact: Artifact, text: str, scene: Scene) -> Finding:
        """Whether it matches."""
        pattern = scene.values.regex(self.regex, "regex")
        options = self.options.model_copy(update={"ignore_case": False})
        hit = search(
            pattern,
            options.normal(text),
            "regex",
            ignore_case=self.options.ignore_case,
            seconds=scene.limits.seconds,
        )
        says = (
            "the pattern matches nowhere" if hit is None else f"the pattern matches at character {hit.start}"
        )
        return found(
            hit is not None,
            says,
            artifact.facts,
            sha256=artifact.sha256,
            wanted=clip(pattern),
            seen=None if hit is None else clip(hit.text, _AROUND),
            characters=len(text),
        )


def _gone(place: Place) -> Finding:
    there = _stat(place, follow=False) is not None
    return found(not there, f"{place.path} is {'still there' if there else 'gone'}", path=str(place.path))


def _folder(place: Place) -> Finding:
    about = _stat(place, follow=True)
    if about is None:
        return found(False, f"there is no folder {place.path}", path=str(place.path))
    is_folder = stat.S_ISDIR(about.st_mode)
    says = f"{place.path} is {'a folder' if is_folder else 'no folder'}"
    return found(is_folder, says, path=str(place.path), modified_at=modified(about))


def _stat(place: Place, *, follow: bool) -> os.stat_result | None:
    check_inside(place, "path")
    try:
        return place.path.stat(follow_symlinks=follow)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as exc:
        raise unreadable(place, "path", exc) from exc


def _otherwise(text: str, wanted: str) -> str:
    """What would have made it fit, without a word of what else the file holds."""
    if wanted.casefold() in text.casefold():
        return "; in other letters, small and capital, it is there (`ignore_case`)"
    if "".join(wanted.split()) in "".join(text.split()):
        return "; with other white space it is there"
    return ""


def _first_difference(one: str, other: str) -> int | None:
    if one == other:
        return None
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
