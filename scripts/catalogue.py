"""Collect the sentences of the program for translators, and bring the catalogues up to date.

    .venv/bin/python scripts/catalogue.py            writes src/trine/locale/
    .venv/bin/python scripts/catalogue.py --check    says whether they are up to date and complete

Translations stay as they are; new sentences come in empty, and those no longer used go.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import polib
from babel.messages.extract import extract_from_dir

from trine.core.text.sentence import Text
from trine.games import BUNDLED_GAMES, open_room
from trine.house.web.pages import braced

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "src" / "trine" / "locale"
IN_CODE = {
    "text": "m",
    "Text": "m",
    "ntext": "mp",
    "ctext": "cm",
    "ctexts": "cw",
}
"""The functions that take sentences: which arguments are messages, words that are one each, a
plural, a context. The constructors of errors are added."""
IN_PAGES = {"_": (1,), "gettext": (1,), "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
"""The same in templates, by the names and in the form that Babel has for them."""
OPTIONS = {"**.html": {"trimmed": "true", "silent": "false"}}
PLURALS = {
    "fr": "nplurals=2; plural=(n > 1);",
    "hu": "nplurals=2; plural=(n != 1);",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
    "(n%100<10 || n%100>=20) ? 1 : 2);",
}
WIDTH = 100


def template() -> polib.POFile:
    """Return every sentence of the program, in alphabetical order.

    Without the files in which they stand: so a file that moves changes no catalogue.
    """
    entries: dict[tuple[str, str], polib.POEntry] = {}
    for singular, plural, context in (*in_code(), *in_handbooks(), *in_pages()):
        # Templates with nothing but blanks need no translation; but languages differ in what stands
        # before a colon.
        if not re.search(r"[^\W\d_]|[:;?!]", re.sub(r"\{\w+\}", "", singular)):
            continue
        entries[singular, context] = polib.POEntry(
            msgid=singular, msgid_plural=plural, msgctxt=context or None
        )
    pot = polib.POFile(wrapwidth=WIDTH)
    pot.extend(entry for _, entry in sorted(entries.items()))
    return pot


def in_code() -> Iterator[tuple[str, str, str]]:
    """Yield the sentences of all modules, each with its plural and its context."""
    modules = (path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    nodes = [node for module in modules for node in ast.walk(ast.parse(module))]
    takes = IN_CODE | dict.fromkeys(error_classes(nodes), "m")
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        found = [
            (role, told.value)
            for role, told in zip(takes.get(name, ""), node.args, strict=False)
            if isinstance(told, ast.Constant) and isinstance(told.value, str)
        ]
        others = dict(found)
        for role, words in found:
            for each in {"m": [words], "w": words.split()}.get(role, []):
                yield each, others.get("p", ""), others.get("c", "")


def error_classes(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names of `TrineError` and all classes derived from it."""
    bases = {
        node.name: {getattr(base, "id", "") for base in node.bases}
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }
    found, more = set[str](), {"TrineError"}
    while more - found:
        found |= more
        more = {name for name, of in bases.items() if of & found}
    return found


def in_handbooks() -> Iterator[tuple[str, str, str]]:
    """Yield the sentences of rule books, lessons and first games."""
    for name in BUNDLED_GAMES:
        book = open_room(name).handbook
        for one in texts_in((book.about, book.clauses, book.course, book.first_games)):
            yield one.template, one.plural, one.context


def texts_in(value: object) -> Iterator[Text]:
    """Yield the texts in the fields of entries, and in the blanks of other texts."""
    if isinstance(value, Text):
        yield value
        parts: Iterable[object] = value.values.values()
    elif isinstance(value, dict):
        parts = value.values()
    else:
        fields = getattr(value, "__struct_fields__", ())
        parts = value if isinstance(value, tuple) else [getattr(value, one) for one in fields]
    for part in parts:
        yield from texts_in(part)


def in_pages() -> Iterator[tuple[str, str, str]]:
    """Yield those of all templates of pages."""
    for _, _, message, _, context in extract_from_dir(
        ROOT / "src", [("**.html", "jinja2")], OPTIONS, IN_PAGES
    ):
        forms = message if isinstance(message, tuple) else (message, "")
        singular, plural = (braced(form) for form in forms)
        yield singular, plural, context or ""


def catalogue(code: str, pot: polib.POFile) -> polib.POFile:
    """Return the catalogue of a language, brought up to date."""
    path = LOCALE / f"{code}.po"
    old = polib.pofile(str(path)) if path.exists() else polib.POFile()
    known = {(entry.msgctxt, entry.msgid): entry for entry in old}
    new = polib.POFile(wrapwidth=WIDTH)
    new.metadata = {
        "Language": code,
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[code],
    }
    for entry in pot:
        translated = known.get((entry.msgctxt, entry.msgid))
        new.append(
            polib.POEntry(
                msgid=entry.msgid,
                msgid_plural=entry.msgid_plural,
                msgctxt=entry.msgctxt,
                msgstr=translated.msgstr if translated else "",
                msgstr_plural=translated.msgstr_plural
                if translated and entry.msgid_plural
                else dict.fromkeys(range(3 if code == "ru" else 2), "")
                if entry.msgid_plural
                else {},
            )
        )
    return new


def blanks(words: str) -> list[str]:
    """Return the blanks of a template, which a translation must have too."""
    return sorted(re.findall(r"\{(\w+(?:![rs])?)\}", words))


def problems(code: str, current: polib.POFile) -> list[str]:
    """Return the errors in a catalogue: missing or wrong translations."""
    found = []
    for entry in current:
        forms = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        for form in forms:
            if not form:
                found.append(f"{code}: not translated: {entry.msgid!r}")
            elif blanks(form) not in (blanks(entry.msgid), blanks(entry.msgid_plural or form)):
                found.append(f"{code}: other blanks than {entry.msgid!r}: {form!r}")
    return found


def main() -> int:
    """Write or check all catalogues."""
    pot = template()
    wanted = {}
    wrong = []
    for code in PLURALS:
        current = catalogue(code, pot)
        wanted[LOCALE / f"{code}.po"] = str(current)
        wrong += problems(code, current)
    if "--check" in sys.argv[1:]:
        wrong += [
            f"{path.name} is out of date; run scripts/catalogue.py"
            for path, words in wanted.items()
            if not path.exists() or path.read_text(encoding="utf-8") != words + "\n"
        ]
    else:
        for path, words in wanted.items():
            path.write_text(words + "\n", encoding="utf-8")
    print("\n".join(wrong) or f"{len(pot)} sentences in {len(PLURALS)} languages, all translated")
    return 1 if wrong and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
