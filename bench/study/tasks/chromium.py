"""Chromium on the pages of a small office."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from bench.study.site import PORT
from bench.study.stage import Stage
from bench.study.task import Start, Task, Values, click, hotkey, write
from ibtr.geometry import Box

_QUIET = (
    "--no-sandbox --test-type --no-first-run --no-default-browser-check --disable-sync --disable-gpu "
    "--password-store=basic --disable-background-networking --disable-component-update "
    "--disable-features=Translate,AutofillServerCommunication --force-device-scale-factor=1"
).split()
_OFFICE = "Small Office"
_WINDOWS = (
    Box(120, 60, 1400, 900), Box(60, 30, 1300, 820), Box(200, 20, 1200, 840), Box(0, 0, 1600, 860),
    Box(250, 40, 1250, 800), Box(30, 10, 1500, 830),
)  # fmt: skip


def opened(page: str, **state: str) -> Start:
    """Start Chromium on a page; `state` is what the office knows, with `{input}` for values."""

    async def start(stage: Stage, values: Values, box: Box) -> None:
        stage.site.fresh(**{name: value.format(**values) for name, value in state.items()})
        place = [f"--window-position={box.x},{box.y}", f"--window-size={box.width},{box.height}"]
        profile = stage.out / "homes" / "chromium"
        url = f"http://127.0.0.1:{PORT}/{page}"
        argv = ["chromium", *_QUIET, f"--user-data-dir={_fresh(profile)}", *place, url]
        await stage.launch(argv, None)
        await stage.until(lambda windows: _OFFICE in windows[-1].title, f"{page} was not shown")
        await stage.still()

    return start


def _fresh(profile: Path) -> Path:
    number = len(list(profile.parent.glob("chromium*")))
    return profile.with_name(f"chromium{number}")


def sent(records: Path, **wanted: Any) -> dict[str, Any]:
    """One record was sent, with these values."""
    checks = [
        {"kind": "json_value", "path": str(records), "at": name.replace("__", "."), "equals": value}
        for name, value in wanted.items()
    ]
    return {"kind": "all", "checks": checks}


def tasks(out: Path) -> tuple[Task, ...]:
    """The tasks, with the artifact at its place."""
    records = out / "work" / "office" / "records.json"
    return (
        _invoice(records),
        _client(records),
        _remark(records),
        _approve(records),
        _order(records),
        _profile(records),
    )


_task = partial(Task, application="chromium", windows=_WINDOWS)
_on_page = partial(_task, other=opened("invoice"))


def _invoice(records: Path) -> Task:
    return _task(
        name="enter_invoice",
        goal="Enter an invoice of {amount} EUR for {client}, due {due}",
        ask="Put an urgent invoice for {client} over {amount} euros into the office page, due on {due}",
        phrases=("Enter a new urgent invoice in Small Office", "create an invoice for a client"),
        start=opened("invoice"),
        steps=(
            click("client", "the Client field"),
            write("{client}", "client"),
            click("amount", "the Amount field"),
            write("{amount}", "amount"),
            click("due", "the Due date field"),
            write("{due}", "due date"),
            click("urgent", "the Urgent checkbox"),
            click("save", "the Save button"),
        ),
        evaluator=sent(records, client="{client}", amount="{amount}", due="{due}", urgent=True),
        values=(
            {"client": "Globex", "amount": "1250.00", "due": "2026-12-01"},
            {"client": "Initech", "amount": "77.10", "due": "2026-11-30"},
            {"client": "Wayne Enterprises", "amount": "98000", "due": "2027-01-15"},
            {"client": "Hooli", "amount": "5", "due": "2027-02-28"},
            {"client": "Stark Industries", "amount": "640.99", "due": "2026-12-24"},
            {"client": "Acme", "amount": "3333.33", "due": "2027-03-01"},
        ),
        title="New invoice",
        other=opened("order"),
    )


_PEOPLE = (
    {"client": "Globex", "phone": "555-0199"}, {"client": "Initech", "phone": "555-0142"},
    {"client": "Wonka", "phone": "0049 30 1234"}, {"client": "Tyrell", "phone": "555-7777"},
    {"client": "Umbrella", "phone": "555-0666"}, {"client": "Soylent", "phone": "+33 1 999"},
)  # fmt: skip


def _client(records: Path) -> Task:
    return _on_page(
        name="change_client_phone",
        goal="Change the phone number of {client} to {phone}",
        ask="{client} has a new telephone number, {phone}: update it in the clients page",
        phrases=("Change the phone number of a client in Small Office", "update a client's telephone number"),
        start=opened("clients"),
        steps=(
            click("search", "the search field"),
            write("{client}", "search clients"),
            click("row {client}", "the client's name in the list"),
            click("phone", "the Phone field", clicks=3),
            write("{phone}", "phone"),
            click("save", "the Save button"),
        ),
        evaluator=sent(records, name="{client}", phone="{phone}"),
        values=_PEOPLE,
        title="Clients",
        depends=True,
    )


def _remark(records: Path) -> Task:
    return _on_page(
        name="add_contact_remark",
        goal="Add the remark {remark} to the contact {client}",
        ask="Write down the remark {remark} for the contact {client}",
        phrases=("Add a remark to a contact in Small Office", "note a remark for a contact"),
        start=opened("contacts"),
        steps=(
            click("search", "the search field"),
            write("{client}", "search contacts"),
            click("open {client}", "the Open button of the contact"),
            click("remark", "the Remark field"),
            write("{remark}", "remark"),
            click("save", "the Save remark button"),
        ),
        evaluator=sent(records, name="{client}", remark="{remark}"),
        values=tuple(
            {"client": one["client"], "remark": remark}
            for one, remark in zip(
                _PEOPLE,
                ("pays late", "call on Monday", "new owner", "ask for Ms. Bell", "VIP", "moved to Rome"),
                strict=True,
            )
        ),
        title="Contacts",
        depends=True,
    )


def _approve(records: Path) -> Task:
    return _on_page(
        name="approve_book_request",
        goal="Approve the request for books with the comment {comment}",
        ask="Approve the books request, comment: {comment}",
        phrases=("Approve the request for books in Small Office", "approve books with a comment"),
        start=opened("approvals"),
        steps=(
            click("approve Books", "Approve in the row of Books"),
            click("comment", "the Comment field"),
            write("{comment}", "comment"),
            click("save", "the Confirm button"),
        ),
        evaluator=sent(records, what="Books", comment="{comment}"),
        values=tuple(
            {"comment": one}
            for one in ("fine", "ok, but the last ones", "approved by Ada", "yes", "go on", "for Q3")
        ),
        title="Requests",
        twins=True,
    )


def _order(records: Path) -> Task:
    return _on_page(
        name="order_envelopes",
        goal="Order two envelopes C5 to room {room}",
        ask="Have two C5 envelopes delivered to room {room}",
        phrases=("Order two C5 envelopes in Small Office", "have envelopes delivered to a room"),
        start=opened("order"),
        steps=(
            click("more Envelopes C5", "the plus in the row of Envelopes C5"),
            click("more Envelopes C5", "the plus in the row of Envelopes C5 again"),
            click("room", "the field Deliver to room"),
            write("{room}", "room"),
            click("save", "the Order button"),
        ),
        evaluator=sent(
            records,
            room="{room}",
            **{"goods__Paper A4": 0, "goods__Envelopes C5": 2, "goods__Toner black": 0},
        ),
        values=tuple({"room": one} for one in ("214", "B-07", "3.11", "Reception", "17", "Lab 2")),
        title="Order supplies",
        twins=True,
    )


def _profile(records: Path) -> Task:
    old = ("Lyon", "Turin", "Graz", "Oslo", "Bern", "Cork")
    return _on_page(
        name="change_my_desk",
        goal="Change my desk to {desk} in my profile",
        ask="I have moved: set my desk to {desk} in the profile",
        phrases=("Change the desk in my profile of Small Office", "update my desk"),
        start=opened("profile", city="{was}", mail="ada@office.example", desk="{desk_was}"),
        steps=(
            click("desk", "the Desk field", clicks=3),
            write("{desk}", "desk"),
            hotkey("shift", "tab"),
            hotkey("shift", "tab"),
            hotkey("ctrl", "a"),
            write("{city}", "city"),
            click("save", "the Save button"),
        ),
        evaluator=sent(records, desk="{desk}", city="{city}", mail="ada@office.example"),
        values=tuple(
            {"desk": f"{n + 1}{'ABC'[n % 3]}", "city": city, "was": was, "desk_was": f"{90 - 7 * n}"}
            for n, (city, was) in enumerate(zip((*old[3:], *old[:3]), old, strict=True))
        ),
        title="My profile",
        depends=True,
    )
