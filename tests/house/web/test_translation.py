"""Templates say their sentences in the language of the reader, from the one catalogue of all."""

import html
import io
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract
from jinja2 import Environment, StrictUndefined

from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import ctext, ntext, text
from trine.house.web.pages import add_sentences, braced, sentences_of

SOURCE = Path(__file__).parents[3] / "src"
PAGES = sorted((SOURCE / "trine").rglob("pages/*.html"))


def written(template: str, code: str, **about: object) -> str:
    environment = Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    add_sentences(environment)
    return environment.from_string(template).render(**sentences_of(open_language(code)), **about)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("count", [1, 3, 5])
def test_blanks_plurals_and_contexts_are_those_of_all_sentences(code: str, count: int) -> None:
    template = """{{ _("Lesson {number} of {count}", number=2, count=9) }}
{{ ngettext("{count} game", "{count} games", count) }}
{{ pgettext("tournament", "Withdraw") }}
{% trans %}Programs play under accounts of their own, marked as programs everywhere. Only an account
that has never played can become one, and it stays one.{% endtrans %}
|{% trans number=2, count=9 %}Lesson {{ number }} of {{ count }}{% endtrans %}
|{% trans count=count %}{{ count }} game{% pluralize %}{{ count }} games{% endtrans %}
|{{ _("Rules") | colon }}"""
    said = re.split(r"[\n|]+", html.unescape(written(template, code, count=count)))
    say = open_language(code).say
    lesson = say(text("Lesson {number} of {count}", number=2, count=9))
    games = say(ntext("{count} game", "{count} games", count))
    long = say(
        text(
            "Programs play under accounts of their own, marked as programs everywhere. Only an "
            "account that has never played can become one, and it stays one."
        )
    )
    rules = say(text("{topic}: {words}", topic=say(text("Rules")), words="")).rstrip()
    withdraw = say(ctext("tournament", "Withdraw"))
    assert said == [lesson, games, withdraw, long, lesson, games, rules]


def test_what_fills_a_blank_is_text_and_no_markup() -> None:
    template = (
        '{{ _("Against {name}", name="<b>") }} {% trans name="<b>" %}By {{ name }}{% endtrans %}'
    )
    assert written(template, "en") == "Against &lt;b&gt; By &lt;b&gt;"


def test_catalogues_have_the_blanks_of_templates_as_those_of_code() -> None:
    template = (
        b"{% trans count=n %}{{ count }} game, 100%{% pluralize %}{{ count }} games{% endtrans %}"
    )
    keywords = {"ngettext": (1, 2)}
    ((_, forms, _, _),) = extract("jinja2", io.BytesIO(template), keywords=keywords)
    assert [braced(form) for form in forms] == ["{count} game, 100%", "{count} games"]


def test_templates_have_no_words_that_cannot_be_translated() -> None:
    assert len(PAGES) > 20
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        for left_out in (
            r"{% block back %}.*?{% endblock %}",
            r"{% trans.*?{% endtrans %}",
            r"{%.*?%}|{{.*?}}|{#.*?#}|<style>.*?</style>",
            r' data-[\w-]+="[^"]*"',
        ):
            page = re.sub(left_out, "", page, flags=re.DOTALL)
        told = re.findall(r'\b(?:alt|title|placeholder|aria-label)="([^"]*)"', page)
        told.append(re.sub(r"<[^>]*>", " ", page))
        assert set(re.findall(r"[^\W\d_]+", " ".join(told))) <= {"trine", "zip", "UTC"}, path
