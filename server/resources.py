"""Memories, runs, replays and their evidence as MCP resources: listed, found by templates, read in bounds."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from anyio import to_thread
from mcp import MCPError, types
from mcp.server import ServerRequestContext

from ibtr.errors import EchoPathError

if TYPE_CHECKING:
    from memory_store.repository import Repository
    from server.app import App

Context = ServerRequestContext[Any]
ROOT: Final = "echopath://"
_LISTED: Final = 50
_LARGEST_TEXT: Final = 1_000_000
_LARGEST_BLOB: Final = 4_000_000
_URI: Final = re.compile(
    r"echopath://(memories|runs|replays|blobs)/([A-Za-z0-9_-]{1,64})(?:/frames/([0-9a-f]{8,64}))?"
)
_TEMPLATES: Final = (
    ("memories/{memory}", "memory", "One memory: program, inputs, conditions, verdict.", "application/json"),
    (
        "runs/{run_id}",
        "run",
        "One recorded run: every step, with what was seen before and after.",
        "application/json",
    ),
    ("runs/{run_id}/frames/{frame}", "frame", "A screenshot of a run, in full size.", "image/png"),
    ("replays/{replay_id}", "replay", "One replay: ending, cause, times, cost.", "application/json"),
    ("blobs/{sha256}", "blob", "Evidence of a memory: a crop or a frame.", "image/png"),
)
Lister = Callable[[Context, types.PaginatedRequestParams | None], Awaitable[types.ListResourcesResult]]
Reader = Callable[[Context, types.ReadResourceRequestParams], Awaitable[types.ReadResourceResult]]


def lister(app: App) -> Lister:
    """Lists the latest of each kind; older ones are reached by their templates."""

    async def list_resources(
        _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        from server.recordings import recent_runs

        try:
            listed = await app.memories.use(_stored)
        except EchoPathError as exc:
            raise MCPError(types.INTERNAL_ERROR, str(exc)) from exc
        runs = await to_thread.run_sync(recent_runs, app.settings.runs, _LISTED)
        listed += [_resource(f"runs/{run}", run, "Recorded run.") for run in runs]
        return types.ListResourcesResult(resources=listed)

    return list_resources


async def list_templates(
    _: Context, __: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    """What can be read by name."""
    templates = [
        types.ResourceTemplate(uri_template=f"{ROOT}{path}", name=name, description=text, mime_type=mime)
        for path, name, text, mime in _TEMPLATES
    ]
    return types.ListResourceTemplatesResult(resource_templates=templates)


def reader(app: App) -> Reader:
    """Reads one."""

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        found = _URI.fullmatch(uri)
        if found is None or (found[3] and found[1] != "runs"):
            raise MCPError(types.INVALID_PARAMS, f"uri: {uri[:120]!r} is not a resource of this server")
        try:
            content = await _read(app, found[1], found[2], found[3])
        except EchoPathError as exc:
            raise MCPError(types.INVALID_PARAMS, f"uri: {exc}") from exc
        return types.ReadResourceResult(contents=[_content(uri, content)])

    return read_resource


async def _read(app: App, kind: str, name: str, frame: str | None) -> bytes | dict[str, Any]:
    from memory_store.models import BlobId, ReplayId

    match kind:
        case "memories":
            return await app.memories.use(lambda store: store.get(name).model_dump(mode="json"))
        case "blobs":
            return await app.memories.use(lambda store: store.blob(BlobId(name)))
        case "replays":
            replay = await app.memories.use(lambda store: store.replay(ReplayId(name)))
            if replay is None:
                raise EchoPathError(f"no replay is called {name!r}")
            return replay.model_dump(mode="json")
        case _:
            return await to_thread.run_sync(_run, app, name, frame)


def _run(app: App, name: str, frame: str | None) -> bytes | dict[str, Any]:
    from actionlens.frames import encode_png
    from actionlens.run_reader import read_run
    from server.recordings import run_folder

    run = read_run(run_folder(app.settings.runs, name))
    if frame is not None:
        return encode_png(run.frame(frame))
    return {
        "manifest": run.manifest.model_dump(mode="json"),
        "status": run.status.value,
        "missing": list(run.missing),
        "steps": [
            {
                "id": step.id,
                "status": step.status.value,
                "request": step.request.model_dump(mode="json", exclude_none=True),
                "before": step.before.frame,
                "after": step.after.frame if step.after else None,
                "error": step.ended.error if step.ended else None,
            }
            for step in run.steps
        ],
    }


def _content(
    uri: str, content: bytes | dict[str, Any]
) -> types.TextResourceContents | types.BlobResourceContents:
    if isinstance(content, dict):
        text = json.dumps(content, separators=(",", ":"))
        _bounded(uri, len(text), _LARGEST_TEXT)
        return types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    _bounded(uri, len(content), _LARGEST_BLOB)
    mime = "image/png" if content.startswith(b"\x89PNG") else "application/octet-stream"
    return types.BlobResourceContents(uri=uri, mime_type=mime, blob=base64.b64encode(content).decode())


def _bounded(uri: str, size: int, limit: int) -> None:
    if size > limit:
        raise MCPError(
            types.INVALID_PARAMS,
            f"uri: {uri} has {size} bytes, more than the {limit} that are sent; `echopath` shows it",
        )


def _stored(store: Repository) -> list[types.Resource]:
    from memory_store.models import Lifecycle

    memories = [
        _resource(f"memories/{one.id}", one.tool_name, one.keys.task_intent[:200])
        for one in store.recent(Lifecycle.ACTIVE, _LISTED).memories
    ]
    replays = [
        _resource(f"replays/{one.id}", one.id, f"Replay of {one.memory_id}: {one.ending.value}.")
        for one in store.replays(limit=_LISTED)
    ]
    return memories + replays


def _resource(path: str, name: str, description: str) -> types.Resource:
    return types.Resource(
        uri=f"{ROOT}{path}", name=name, description=description, mime_type="application/json"
    )
