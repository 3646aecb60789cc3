"""Renders pages from templates; they are readable without script."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import segno
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from markupsafe import Markup

from trine.core.text.language import LANGUAGES, Language, name_in, open_language
from trine.core.text.sentence import Text, number, typed_line
from trine.games import ROOMS, open_room
from trine.house.store.secrets import new_token
from trine.house.web.assets import Assets
from trine.house.web.visitors import NO_TASTE, Preferences
from trine.play.draw.svg import can_draw


def add_sentences(environment: Environment) -> None:
    """Provide templates with sentences, topics, numbers, and names of games and rule sets."""
    environment.extend(
        newstyle_gettext=True
    )  # before the extension, whose default applies only if this is unset
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters["colon"] = _in_language(Language.colon)
    environment.filters["named"] = _in_language(name_in)
    environment.filters["figure"] = _in_language(
        lambda language, value: language.say(number(value))
    )
    environment.filters["as_typed"] = typed_line


def sentences_of(language: Language) -> dict[str, Callable[..., str] | str]:
    """Return the language, and the functions of gettext that a template calls."""

    def gettext(template: str, /, **values: object) -> str:
        return language.say(Text(braced(template), values))

    def ngettext(template: str, plural: str, count: int, /, **values: object) -> str:
        filled = {**values, "count": count}
        return language.say(Text(braced(template), filled, plural=braced(plural)))

    def pgettext(context: str, template: str, /, **values: object) -> str:
        return language.say(Text(braced(template), values, context))

    return {
        "language": language.code,
        "_": gettext,
        "gettext": gettext,
        "ngettext": ngettext,
        "pgettext": pgettext,
    }


def braced(template: str) -> str:
    """Write the blanks of ``{% trans %}`` as in all other sentences.

    >>> braced("%(count)s of 100%%")
    '{count} of 100%'
    """
    return re.sub(r"%\((\w+)\)s", r"{\1}", template).replace("%%", "%")


def _in_language(write: Callable[[Language, str], str]) -> Callable[[Context, str], str]:
    """Return the filter that writes a value in the language of its page."""
    return pass_context(lambda context, value: write(open_language(context["language"]), value))


class _Compiled(BytecodeCache):
    """The compiled templates of this process, by their source."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if kept := self._kept.get(bucket.key + bucket.checksum):
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


_COMPILED: Final = _Compiled()


class Pages:
    """The renderer of pages, from templates in ``folders``, with ``names`` names."""

    def __init__(
        self, assets: Assets, folders: Sequence[Path], names: Mapping[str, Any] | None = None
    ) -> None:
        self.assets: Final = assets
        self._environment = templates(folders)
        self._environment.filters |= {"minute": minute, "day": day}
        self._environment.globals |= {
            "asset": assets.url,
            "languages": LANGUAGES,
            "rooms": [open_room(name) for name in ROOMS],
            "qr": _qr,
            "new_idempotency_key": new_token,
            "has_pictures": can_draw(),
            **(names or {}),
        }

    def compile_all(self) -> None:
        """Compile all templates, so that no request has to wait for that."""
        for name in self._environment.list_templates():
            self._environment.get_template(name)

    def write(
        self, name: str, code: str, taste: Preferences = NO_TASTE, *, path: str = "", **about: Any
    ) -> str:
        """Render a page in a language; its path marks the active entry of the navigation."""
        language = open_language(code)
        return self._environment.get_template(name).render(
            say=language.say, taste=taste, path=path, **sentences_of(language), **about
        )


def templates(folders: Sequence[Path]) -> Environment:
    """Return the templates of the folders, with the sentences of our languages."""
    environment = Environment(
        loader=FileSystemLoader(folders),
        bytecode_cache=_COMPILED,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    add_sentences(environment)
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return environment


def minute(at: float) -> str:
    """Return the minute of a moment, in universal time.

    >>> minute(1.8e9)
    '2027-01-15 08:00'
    """
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))


def _qr(link: str) -> Markup:
    code = segno.make(link, error="m")
    return Markup(code.svg_data_uri(scale=4, border=2))
