"""Serving: the built site on this machine alone, built again when the vault changes. Not a web server for anybody else."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from wikimem.errors import PortTaken, WikimemError
from wikimem.site import Built

HOST = "127.0.0.1"
SECONDS = 1.0
"""How often the vault is looked at."""
_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})


def serve(root: Path, build: Callable[[], Built], port: int, tell: Callable[[str], None]) -> None:
    """Build, serve until interrupted, and build again on change.

    Args:
        root: the vault's folder.
        build: builds the site.
        port: 0 for any that is free.
        tell: told the address, and each build that changed something.

    Raises:
        PortTaken: something else listens there.
    """
    seen = state(root)
    built = build()
    with open_server(Path(built.out), port) as server:
        told = server.server_address[1]
        tell(f"The site is at http://{HOST}:{told}/ (Ctrl-C ends it)")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(SECONDS)
                seen = _again(root, seen, build, tell)
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
            thread.join()


def _again(root: Path, seen: bytes, build: Callable[[], Built], tell: Callable[[str], None]) -> bytes:
    now = state(root)
    if now == seen:
        return seen
    try:
        built = build()
    except WikimemError as error:
        tell(f"wikimem: {error}")
        return now
    if built.written or built.removed:
        tell(f"Built again: {built.written} written, {built.removed} removed")
    return now


class Server(ThreadingHTTPServer):
    """Serves one folder to this machine."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"


class Handler(SimpleHTTPRequestHandler):
    """Files, as they are; nothing for a page of somebody else's that has its name point here."""

    def do_GET(self) -> None:
        """Answer, if the request names this machine."""
        if self._is_meant():
            super().do_GET()

    def do_HEAD(self) -> None:
        """Likewise."""
        if self._is_meant():
            super().do_HEAD()

    def _is_meant(self) -> bool:
        name = (self.headers.get("Host") or "").rpartition(":")
        host = name[0] if name[1] and name[2].isdigit() else "".join(name)
        if host in _NAMES:
            return True
        self.send_error(421, "This address is for this machine alone")
        return False

    def end_headers(self) -> None:
        """Every answer is looked up again, for the site may have been built anew."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """No lists of files."""
        self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed for a request."""


def open_server(folder: Path, port: int) -> Server:
    """A server of a folder, listening on the loopback address.

    Raises:
        PortTaken: something else listens there.
    """
    try:
        return Server((HOST, port), partial(Handler, directory=str(folder)))
    except OSError as error:
        raise PortTaken(port, error.strerror or str(error)) from None


def state(root: Path) -> bytes:
    """A digest of the sizes and times of what a site is made of."""
    told = blake2b(digest_size=16)
    for stamp in _stamps(root):
        told.update(stamp.encode("utf-8", "surrogateescape"))
    return told.digest()


def _stamps(root: Path) -> Iterator[str]:
    pending = [root / name for name in ("wiki", "sources", "site")]
    yield from (f"{name} {_time(root / name)}\n" for name in ("wikimem.toml", "wikimem.local.toml", ".git/logs/HEAD"))
    while pending:
        with suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir(follow_symlinks=False):
                    pending.append(Path(entry.path))
                else:
                    stat = entry.stat(follow_symlinks=False)
                    yield f"{entry.path} {stat.st_size} {stat.st_mtime_ns}\n"


def _time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
