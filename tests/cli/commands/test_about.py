"""`trine about`: every game tells who owns it, in every language."""

from pathlib import Path

import pytest

from playing import run_trine
from trine.core.text.language import LANGUAGES, open_language
from trine.games import BUNDLED_GAMES, open_room


@pytest.mark.parametrize("game", BUNDLED_GAMES)
def test_every_game_tells_who_invented_it(tmp_path: Path, game: str) -> None:
    about = open_room(game).handbook.about
    done = run_trine(tmp_path, "about", game)
    shown = " ".join(done.stdout.split())
    assert all(str(words) in shown for words in about) and len(about) >= 3
    for code in LANGUAGES:
        said = {open_language(code).say(words) for words in about}
        assert len(said) == len(about) and (code == "en") == (str(about[0]) in said)


def test_arimaa_tells_its_motive_its_name_and_its_patent(tmp_path: Path) -> None:
    shown = run_trine(tmp_path, "about", "arimaa", "--lang", "fr").stdout
    for fact in ("Kasparov", "Deep Blue", "OCTI", "6981700", "2002", "à l'envers", "7 ans"):
        assert fact in shown
