"""Environment, flags and echopath.toml, read once into a frozen Settings.

The order of trust: a flag, the environment, the file, the default.
"""

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from actionlens.problems import in_words
from ibtr.errors import EchoPathError
from ibtr.geometry import Size

PREFIX = "ECHOPATH_"
CONFIG_FILE = "echopath.toml"


class BadSettings(EchoPathError):
    """A setting that cannot be used; the text names it and the fix."""


class Settings(BaseModel):
    """Everything that can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Annotated[Path, Field(description="Where memories and runs are kept: absolute, or below `~/`.")]
    desktop: Annotated[
        Literal["auto", "local", "virtual"],
        Field(description="The user's screen, a private one, or the first that works."),
    ] = "auto"
    screen: Annotated[Size, Field(description="Size of a virtual desktop, like 1920x1080.")] = Size(
        1920, 1080
    )
    person_at_the_mouse: Annotated[
        Literal["pause", "refuse"], Field(description="When somebody moves the mouse during a replay.")
    ] = "pause"
    agent: Annotated[str, Field(max_length=80, description="Who drives, for the lock and the runs.")] = (
        "echopath"
    )

    max_published: Annotated[
        int,
        Field(
            ge=0,
            le=500,
            description="Memories published as tools of their own. With more active ones, the latest used "
            "are, and the choice changes only at start or when one is promoted.",
        ),
    ] = 40
    follow_s: Annotated[
        float,
        Field(
            gt=0, le=3600, description="Seconds between two looks at what other processes did to the store."
        ),
    ] = 1.0
    keep_frames: Annotated[
        bool, Field(description="Keep a step's whole screenshots with its memory, for audit.")
    ] = True
    allow_host_attested: Annotated[
        bool, Field(description="Let the host's own word promote a memory, without a check that we ran.")
    ] = False

    @field_validator("screen", mode="before")
    @classmethod
    def _size(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        width, _, height = value.lower().partition("x")
        if not (
            width.isdigit() and height.isdigit() and 320 <= int(width) <= 7680 and 200 <= int(height) <= 4320
        ):
            raise ValueError("write it like 1920x1080, between 320x200 and 7680x4320")
        return Size(int(width), int(height))

    @property
    def runs(self) -> Path:
        """Where run directories lie."""
        return self.home / "runs"


def config_folder() -> Path:
    """Where echopath.toml and the policy lie; never the working folder."""
    return Path(os.environ.get(f"{PREFIX}CONFIG") or platformdirs.user_config_dir("echopath"))


def load_settings(**flags: Any) -> Settings:
    """Read every source once.

    Raises:
        BadSettings: naming the setting and what it takes.
    """
    values: dict[str, Any] = {"home": platformdirs.user_data_dir("echopath")}
    file = config_folder() / CONFIG_FILE
    if file.exists():
        try:
            values |= tomllib.loads(file.read_text())
        except (OSError, ValueError) as exc:
            raise BadSettings(f"{file}: {exc}") from exc
    for name in Settings.model_fields:
        if said := os.environ.get(f"{PREFIX}{name.upper()}"):
            values[name] = said
    values |= {name: value for name, value in flags.items() if value is not None}
    try:
        settings = Settings.model_validate(values)
    except ValidationError as exc:
        lines = [f"{'.'.join(map(str, one['loc']))}: {in_words(one)}" for one in exc.errors()]
        place = f" ({file}, environment or flags)" if file.exists() else ""
        raise BadSettings(f"settings{place}: " + "; ".join(lines)) from exc
    home = settings.home.expanduser()
    if not home.is_absolute():  # a host starts us in whatever folder it likes
        says = f"home: {str(home)!r} would be another store in every folder: write {str(home.absolute())!r}"
        raise BadSettings(f"{says} (ECHOPATH_HOME, or home in {file})")
    return settings.model_copy(update={"home": home})
