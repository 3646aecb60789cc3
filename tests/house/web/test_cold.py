"""A house that has just opened: its first visitors hold up nobody."""

import sys
from pathlib import Path
from urllib.parse import urlencode

from house.web.test_stillness import Browser, a_site
from trine.core.text.language import open_language
from trine.house.people import names, passwords
from trine.house.web import pages

PASSWORD = "a long enough password"
REGISTER = urlencode({"name": "Somebody", "password": PASSWORD, "again": PASSWORD}).encode()


async def test_first_visits_read_no_catalogue_and_compile_no_template(tmp_path: Path) -> None:
    caches = (open_language, names.in_all_languages, passwords.common_passwords)
    for cache in caches:
        cache.cache_clear()
    pages._COMPILED._kept.clear()
    sys.modules.pop("polib", None)
    async with a_site(tmp_path) as (app, house):
        before = [cache.cache_info().misses for cache in caches]
        compiled = len(pages._COMPILED._kept)
        _, token = await house.accounts.welcome()
        for code in ("en", "fr", "hu", "ru"):
            browser = Browser(app, token)
            browser.cookie += f"; language={code}"
            for path in ("/", "/account", "/new", "/lobby", "/tournaments", "/learn", "/rules"):
                await browser.ask(path)
        status, _ = await browser.ask("/account/register", REGISTER)
        assert status == 303
        assert [cache.cache_info().misses for cache in caches] == before
        assert len(pages._COMPILED._kept) == compiled > 40
