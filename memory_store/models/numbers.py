"""Pure: how a recorded number was written, and what is written alike. `1,5` is not `1.5` to every program."""

import re
from typing import NamedTuple


class NumberForm(NamedTuple):
    """The decimal sign, and what stands between thousands; no sign: none was recorded."""

    decimal: str = "."
    group: str = ""

    @property
    def pattern(self) -> str:
        """What a number of this form looks like; ECMA and Python agree on it."""
        whole, decimal = "[0-9]+", re.escape(self.decimal)
        if self.group:
            whole = f"([0-9]{{1,3}}({re.escape(self.group).replace(chr(92) + ' ', ' ')}[0-9]{{3}})+|[0-9]+)"
        return f"^[+-]?({whole}({decimal}[0-9]+)?|{decimal}[0-9]+)([eE][+-]?[0-9]+)?%?$"

    @property
    def words(self) -> str:
        """The same for people."""
        between = f"{self.group!r} or nothing" if self.group else "nothing"
        return f"{self.decimal!r} as the decimal sign, {between} between thousands"


def form_of(recorded: str) -> NumberForm | None:
    """The form of a recorded number, None if it is none; where it shows no decimal sign, that is a point."""
    signs = re.findall(r"[ ,.']", recorded)
    kinds = list(dict.fromkeys(signs))
    form = NumberForm()
    if len(kinds) == 1 and kinds[0] in ".,":
        sign = kinds[0]
        other = "." if sign == "," else ","
        form = NumberForm(sign)
        if len(signs) > 1:
            form = NumberForm(other, sign)
        elif re.search(rf"(?<![0-9])[1-9][0-9]{{0,2}}{re.escape(sign)}[0-9]{{3}}(?![0-9])", recorded):
            form = NumberForm(sign, sign)  # thousands or thousandths: nobody can tell
    elif len(kinds) == 1:
        form = NumberForm(".", kinds[0])
    elif len(kinds) == 2:
        form = NumberForm(kinds[1], kinds[0])
    return form if re.fullmatch(form.pattern, recorded) else None
