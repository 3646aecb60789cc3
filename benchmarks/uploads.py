"""Measures the wait for a two-line upload while another address sends large ones. Ends by itself.

    .venv/bin/python benchmarks/uploads.py [--posts 31]

127.0.0.2 sends ``--posts`` records at once, each as slow to read as the house allows; meanwhile
127.0.0.1 sends records of two lines, one after the other. It needs a system with all of
127.0.0.0/8, such as Linux.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from house.web.served import Served, a_server

SHORT = '[Game "corridor"]\n1s e2\n'
WALLS = [f"{'abcdefghijklmnopqr'[n % 18]}{n // 18 % 18 + 1}{'vh'[n // 324]}" for n in range(640)]


def heavy() -> str:
    """Return a record with some thousand variations: more than can be read within the time
    limit."""
    lines = ['[Game "corridor"]', '[Size "19"]', ""]
    for number in range(2, 10):
        for side, square in (("s", f"j{number}"), ("n", f"j{20 - number}")):
            tag = f"{number - 1}{side}"
            others = " ".join(f"(or {tag} {wall})" for wall in WALLS[1:])
            lines.append(f"{tag} {square} {{or {tag} {WALLS[0]} {others}}}")
    return "\n".join(lines) + "\n"


async def post(served: Served, words: str, address: str) -> str:
    """Upload a record; return the status of the answer."""
    there = urlsplit(served.address)
    body = urlencode({"from": "text", "text": words}).encode()
    head = (
        f"POST /analysis HTTP/1.1\r\nHost: {there.netloc}\r\nConnection: close\r\n"
        f"Origin: {served.address.rstrip('/')}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection(
        there.hostname, there.port, local_addr=(address, 0)
    )
    writer.write(head.encode() + body)
    try:
        answer = await reader.read()
    except ConnectionError:  # it was refused before all of it was sent
        return "429"
    finally:
        writer.close()
    return answer[9:12].decode()


async def measure(served: Served, posts: int) -> None:
    """Print the waits without the large uploads, and during them."""

    async def waits(wanted: int, beside: asyncio.Future[list[str]] | None) -> list[float]:
        took: list[float] = []
        while len(took) < wanted and not (beside and beside.done()):
            began = time.perf_counter()
            assert await post(served, SHORT, "127.0.0.1") == "303"
            took.append(time.perf_counter() - began)
            await asyncio.sleep(0.2)  # within the limits of one address
        return took

    def tell(name: str, took: list[float]) -> None:
        print(f"{name:>6}: {len(took)} read, p50 {statistics.median(took):.3f} s, {max(took):.3f}")

    await waits(1, None)
    tell("alone", await waits(20, None))
    words, began = heavy(), time.perf_counter()
    flood = asyncio.gather(*(post(served, words, "127.0.0.2") for _ in range(posts)))
    tell("beside", await waits(10_000, flood))
    print(f"   all {posts} after {time.perf_counter() - began:.0f} s:", dict(Counter(await flood)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--posts", type=int, default=31)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, a_server(Path(folder)) as served:
        asyncio.run(measure(served, given.posts))


if __name__ == "__main__":
    main()
