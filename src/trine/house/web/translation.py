"""The sentences of templates: those of ``{{ _("…") }}`` and of ``{% trans %}``, in a language."""

from __future__ import annotations

import re
from collections.abc import Callable

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from trine.core.text.language import Language, open_language
from trine.core.text.sentence import Text, number
from trine.core.text.typed import name_in


def add_sentences(environment: Environment) -> None:
    """Let templates have sentences, topics with a colon, figures, names of games and rule sets."""
    environment.extend(newstyle_gettext=True)  # before the extension, which sets it if nobody has
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters["colon"] = _colon
    environment.filters["named"] = _named
    environment.filters["figure"] = _figure


def sentences_of(language: Language) -> dict[str, Callable[..., str] | str]:
    """The language, and the functions that a template calls, by the names that gettext has."""

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
    """Write the blanks that ``{% trans %}`` makes as all other sentences have them.

    >>> braced("%(count)s of 100%%")
    '{count} of 100%'
    """
    return re.sub(r"%\((\w+)\)s", r"{\1}", template).replace("%%", "%")


@pass_context
def _named(context: Context, name: str) -> str:
    return name_in(open_language(context["language"]), name)


@pass_context
def _figure(context: Context, written: str) -> str:
    return open_language(context["language"]).say(number(written))


@pass_context
def _colon(context: Context, topic: str) -> str:
    return open_language(context["language"]).colon(topic)
