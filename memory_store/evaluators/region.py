"""A remembered region is on the screen, or is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, JsonValue

from ibtr.errors import EchoPathError, MissingTarget, Rejected
from memory_store.evaluators.outcome import CouldNotRun, Finding, clip, found
from memory_store.evaluators.scene import Scene, Sighting, Spec
from memory_store.models import Anchor, BlobId

if TYPE_CHECKING:
    from ibtr.evidence import Evidence
    from ibtr.pixels import Pixels


class RegionVisible(Spec):
    """A remembered piece of the screen can be seen; with `visible` false, it cannot."""

    kind: Literal["region"] = "region"
    anchors: Annotated[tuple[Anchor, ...], Field(min_length=1, max_length=8)]
    description: str = ""
    visible: bool = True

    def run(self, scene: Scene) -> Finding:
        """Look for it as a click would; ambiguous or unsure is neither seen nor gone."""
        if scene.find_region is None:
            raise CouldNotRun("anchors", "there is no screen to look at", "run this check with a desktop")
        what = clip(self.description) or "the region"
        try:
            seen = dict(scene.find_region(self.anchors))
        except MissingTarget as exc:
            return found(not self.visible, f"{what} is not on the screen", _numbers(exc))
        except Rejected as exc:
            raise CouldNotRun(
                "anchors", str(exc), "remember a more distinct region", **_numbers(exc)
            ) from exc
        return found(self.visible, f"{what} is on the screen", seen)


def look_on(screen: Pixels, blob: Callable[[BlobId], bytes]) -> Sighting:
    """Look for remembered regions on one screenshot; `blob` reads their pictures."""

    def find(anchors: tuple[Anchor, ...]) -> dict[str, JsonValue]:
        from ibtr.aim import reaim

        aim = reaim(_evidence(anchors, blob), screen)
        return {"x_px": aim.point.x, "y_px": aim.point.y, "representation": aim.representation}

    return find


def _evidence(anchors: tuple[Anchor, ...], blob: Callable[[BlobId], bytes]) -> Evidence:
    from memory_store.crops import load_evidence

    try:
        return load_evidence(anchors, blob)
    except EchoPathError as exc:
        raise CouldNotRun("anchors", str(exc), "remember the region anew") from exc


def _numbers(refusal: Rejected) -> dict[str, JsonValue]:
    return {key: value for key, value in refusal.evidence.items() if isinstance(value, int | float | str)}
