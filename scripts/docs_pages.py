"""The pages as the site of the documentation has them: their order, and their dialect."""

import re
from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    """Order the pages of each shelf as ``docs/README.md`` names them first."""
    pages = Path(config.docs_dir)
    words = (pages / "docs" / "README.md").read_text(encoding="utf-8")
    shelves: dict[str, list[str]] = {}
    for page in dict.fromkeys(re.findall(r"\]\(([a-z]+/[^)#]+\.md)", words)):
        shelves.setdefault(page.split("/")[0], []).append(f"docs/{page}")
    experiments = shelves.setdefault("experiments", [])
    experiments += sorted(
        f"docs/experiments/{one.name}" for one in pages.glob("docs/experiments/2*")
    )
    config.nav = [
        {"Home": ["README.md", "docs/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]},
        *(
            {shelf.capitalize(): shelves[shelf]}
            for shelf in ("start", "guides", "reference", "why")
        ),
        {"Experiments": [*experiments, "lab/README.md"]},
    ]
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Leave out the second words of code blocks, which only the tests read."""
    return re.sub(r"^```(\w+) \w+$", r"```\1", markdown, flags=re.MULTILINE)
