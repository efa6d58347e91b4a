# ruff: noqa: E501 - markup reads best unbroken
"""The pages of the small office. Every target has a name in `data-t`; the script tells where it is."""

from __future__ import annotations

from html import escape

CLIENTS = (
    ("Globex", "555-0101"), ("Initech", "555-0102"), ("Umbrella", "555-0103"), ("Hooli", "555-0104"),
    ("Stark Industries", "555-0105"), ("Wayne Enterprises", "555-0106"), ("Acme", "555-0107"),
    ("Cyberdyne", "555-0108"), ("Soylent", "555-0109"), ("Tyrell", "555-0110"), ("Wonka", "555-0111"),
)  # fmt: skip
REQUESTS = (("Travel to Lyon", "420.00"), ("New monitor", "310.50"), ("Books", "89.90"), ("Train ticket", "64.00"),
            ("Office chairs", "1240.00"))  # fmt: skip
GOODS = ("Paper A4", "Paper A3", "Staples", "Envelopes C5", "Toner black", "Labels")

_STYLE = """
body{font:15px sans-serif;margin:0;background:#f4f5f7;color:#1d2433}
header{background:#23395d;color:#fff;padding:14px 28px;font-size:18px}
main{margin:24px 28px;background:#fff;border:1px solid #d5d9e0;border-radius:6px;padding:22px;max-width:760px}
label{display:block;margin:12px 0 4px;color:#4a5468}
input,select,textarea{font:15px sans-serif;padding:7px 9px;border:1px solid #aab2c0;border-radius:4px;width:320px}
input[type=checkbox]{width:16px;height:16px}
button{font:15px sans-serif;padding:7px 16px;border:1px solid #2c5aa0;border-radius:4px;background:#2f6fd0;color:#fff}
button.plain{background:#fff;color:#24406f}
table{border-collapse:collapse;width:100%;margin-top:14px}
td{border-bottom:1px solid #e2e5ea;padding:9px 8px} a{color:#1d5fbf}
.note{color:#1a7f37;margin-top:14px;min-height:20px}
.dark{background:#15181e;color:#dfe3ea}.dark main{background:#1e232c;border-color:#39414f}
.dark input,.dark select{background:#262c37;color:#e8ebf0;border-color:#4a5364}.dark label{color:#aab3c4}
.dark button{background:#31568f}.dark button.plain{background:#262c37;color:#cfd8e6}.dark header{background:#0d1b30}
.shade{position:fixed;inset:0;background:#0008}.box{position:fixed;left:80px;top:90px;right:80px;height:420px;
background:#fff;padding:24px;border-radius:8px;color:#222}
"""
_SCRIPT = """
let off=null;
function tell(){if(!off)return;const boxes={};
 for(const e of document.querySelectorAll('[data-t]')){const r=e.getBoundingClientRect();
  if(r.width)boxes[e.dataset.t]=[r.x+off[0],r.y+off[1],r.width,r.height];}
 fetch('/layout',{method:'POST',body:JSON.stringify({boxes})});}
addEventListener('mousemove',e=>{const now=[e.screenX-e.clientX,e.screenY-e.clientY];
 if(!off||now[0]!=off[0]||now[1]!=off[1]){off=now;tell();}});
new MutationObserver(tell).observe(document,{subtree:true,childList:true,attributes:true});
addEventListener('mousedown',e=>{const t=e.target.closest('[data-t]');
 fetch('/clicked',{method:'POST',body:JSON.stringify({name:t?t.dataset.t:'nothing'})});},true);
function send(kind,data){return fetch('/'+kind,{method:'POST',body:JSON.stringify(data)}).then(()=>{
 document.querySelector('.note').textContent='Saved.';});}
function val(n){const e=document.querySelector('[data-t="'+n+'"]');return e.type=='checkbox'?e.checked:e.value;}
function shut(){document.querySelectorAll('.shade,.box').forEach(e=>e.remove());}
"""


def page(name: str, asked: dict[str, str], theme: str, broken: str) -> str:
    """One page, whole; a page that does not exist is a plain start page."""
    title, body = _PAGES.get(name, _start)(asked)
    if broken == "renamed":
        body = (
            body.replace(">Save<", ">Apply changes<")
            .replace(">Confirm<", ">Go on<")
            .replace(">Open<", ">View<")
            .replace(">Approve<", ">Agree<")
            .replace(">Order<", ">Buy<")
        )
    if broken == "missing":
        body = body.replace("<button", '<button style="display:none"')
    if broken == "alert":
        body += "<script>setTimeout(()=>alert('Your session is about to expire.'),300)</script>"
    if broken == "covered":
        body += (
            "<div class=shade></div><div class=box><h2>Your session is about to expire</h2><p>Stay signed in to keep"
            " your work.</p><button data-t='modal' onclick='shut()'>Stay signed in</button></div>"
        )
    return (
        f"<!doctype html><title>{title} - Small Office</title><style>{_STYLE}</style>"
        f"<body class='{theme}'><header>Small Office</header><main><h2>{title}</h2>{body}<div class=note></div></main>"
        f"<script>{_SCRIPT}</script>"
    )


def _field(name: str, label: str, value: str = "") -> str:
    return f"<label>{label}</label><input data-t='{name}' value='{escape(value)}' autocomplete=off>"


def _save(kind: str, *names: str, words: str = "Save") -> str:
    data = ",".join(f"{name}:val('{name}')" for name in names)
    return f"<p><button data-t='save' onclick=\"send('{kind}',{{{data}}})\">{words}</button></p>"


def _start(_: dict[str, str]) -> tuple[str, str]:
    return "Welcome", "<p>Choose a page from the menu of your browser.</p>"


def _invoice(_: dict[str, str]) -> tuple[str, str]:
    return "New invoice", (
        _field("client", "Client")
        + _field("amount", "Amount in EUR")
        + _field("due", "Due date")
        + "<p><input type=checkbox data-t='urgent'> Urgent</p>"
        + _save("invoice", "client", "amount", "due", "urgent")
    )


def _clients(_: dict[str, str]) -> tuple[str, str]:
    rows = "".join(
        f"<tr data-name='{name.lower()}'><td><a data-t='row {name}' href='/client?name={name}'>{name}</a></td>"
        f"<td>{phone}</td></tr>"
        for name, phone in CLIENTS
    )
    search = (
        "<input data-t='search' placeholder='Search clients' autocomplete=off oninput=\"for(const r of "
        "document.querySelectorAll('tr'))r.style.display=r.dataset.name.includes(this.value.toLowerCase())?'':'none'\">"
    )
    return "Clients", f"{search}<table>{rows}</table>"


def _client(asked: dict[str, str]) -> tuple[str, str]:
    name = asked.get("name", "")
    phone = dict(CLIENTS).get(name, "")
    return escape(name), (
        f"<input type=hidden data-t='name' value='{escape(name)}'>"
        + _field("phone", "Phone", phone)
        + _field("mail", "E-mail", f"office@{name.split()[0].lower()}.example")
        + _save("client", "name", "phone")
    )


def _contacts(asked: dict[str, str]) -> tuple[str, str]:
    """A search whose answer is one row, with a button beside the name."""
    rows = "".join(
        f"<tr data-name='{name.lower()}' style='display:none'><td>{name}</td><td>{phone}</td>"
        f"<td><button class=plain data-t='open {name}' onclick=\"pick('{name}')\">Open</button></td></tr>"
        for name, phone in CLIENTS
    )
    search = (
        "<input data-t='search' placeholder='Search contacts' autocomplete=off oninput=\"for(const r of "
        "document.querySelectorAll('tr'))r.style.display=this.value&&r.dataset.name.startsWith("
        "this.value.toLowerCase())?'':'none'\">"
    )
    picked = (
        "<div id=p style='display:none;margin-top:20px'><input type=hidden data-t='name'>"
        + _field("remark", "Remark")
        + _save("remark", "name", "remark", words="Save remark")
        + "</div><script>function pick(n){document.querySelector('[data-t=name]').value=n;"
        "document.getElementById('p').style.display=''}</script>"
    )
    return "Contacts", f"{search}<table>{rows}</table>{picked}"


def _approvals(_: dict[str, str]) -> tuple[str, str]:
    rows = "".join(
        f"<tr><td>{what}</td><td>{sum_} EUR</td><td><button class=plain data-t='approve {what}' "
        f"onclick=\"choose('{what}')\">Approve</button> <button class=plain data-t='decline {what}'>Decline</button>"
        "</td></tr>"
        for what, sum_ in REQUESTS
    )
    return "Requests", (
        f"<table>{rows}</table><div id=c style='display:none'><input type=hidden data-t='what'>"
        + _field("comment", "Comment")
        + _save("approval", "what", "comment", words="Confirm")
        + "</div><script>function choose(w){document.querySelector('[data-t=what]').value=w;"
        "document.getElementById('c').style.display=''}</script>"
    )


def _order(_: dict[str, str]) -> tuple[str, str]:
    rows = "".join(
        f"<tr><td>{goods}</td><td><button class=plain data-t='less {goods}'>-</button> "
        f"<span id='n{at}'>0</span> <button class=plain data-t='more {goods}' "
        f"onclick=\"let n=document.getElementById('n{at}');n.textContent=+n.textContent+1\">+</button></td></tr>"
        for at, goods in enumerate(GOODS)
    )
    spans = ",".join(
        f"{goods!r}:+document.getElementById('n{at}').textContent" for at, goods in enumerate(GOODS)
    )
    return "Order supplies", (
        f"<table>{rows}</table>{_field('room', 'Deliver to room')}"
        f"<p><button data-t='save' onclick=\"send('order',{{room:val('room'),goods:{{{spans}}}}})\">Order</button></p>"
    )


def _profile(asked: dict[str, str]) -> tuple[str, str]:
    return "My profile", (
        _field("city", "City", asked.get("city", ""))
        + _field("mail", "E-mail", asked.get("mail", ""))
        + _field("desk", "Desk", asked.get("desk", ""))
        + _save("profile", "city", "mail", "desk")
    )


def _expenses(asked: dict[str, str]) -> tuple[str, str]:
    """What was sent is listed, above the form or below it, and stays."""
    listed = "<table id=l></table><p id=n></p>"
    form = _field("what", "What for") + _field("sum", "Amount in EUR") + _save("expense", "what", "sum")
    script = (
        "<script>function show(){fetch('/records').then(r=>r.text()).then(t=>{const a=t.split('\\n').filter(x=>x)"
        ".map(x=>JSON.parse(x));l.innerHTML=a.map(e=>'<tr><td>'+e.what+'</td><td>'+e.sum+'</td></tr>').join('');"
        "n.textContent=a.length+' expenses';tell()})}addEventListener('load',()=>{const was=send;send=(k,d)=>was(k,d).then(()=>{show();"
        "for(const e of document.querySelectorAll('input'))e.value=''});show()})</script>"
    )
    parts = (listed, form) if asked.get("at") == "above" else (form, listed)
    return "Expenses", f"{parts[0]}{parts[1]}{script}"


_PAGES = {
    "invoice": _invoice, "clients": _clients, "client": _client, "contacts": _contacts,
    "approvals": _approvals, "order": _order, "profile": _profile, "expenses": _expenses,
}  # fmt: skip
