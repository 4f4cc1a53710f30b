"""The server: this machine alone, files alone, and again when the vault changes."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from wikimem.errors import PortTaken
from wikimem.faces import serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[serving.Server]:
    (tmp_path / "_site/topics").mkdir(parents=True)
    (tmp_path / "_site/index.html").write_text("<h1>home</h1>")
    (tmp_path / "_site/topics/a.md").write_text("# a")
    (tmp_path / "secret").write_text("s")
    with serving.open_server(tmp_path / "_site", 0) as opened:
        thread = threading.Thread(target=opened.serve_forever)
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


def ask(server: serving.Server, path: str, host: str = "", method: str = "GET") -> tuple[int, bytes]:
    port = server.server_address[1]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    told = answer.status, answer.read()
    connection.close()
    return told


def test_it_listens_on_the_loopback_address_alone(server: serving.Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_it_serves_files_and_no_lists(server: serving.Server) -> None:
    assert ask(server, "/") == (200, b"<h1>home</h1>")
    assert ask(server, "/topics/a.md") == (200, b"# a")
    assert ask(server, "/topics/")[0] == 404
    assert ask(server, "/../secret")[0] == 404
    assert ask(server, "/%2e%2e/secret")[0] == 404
    assert ask(server, "/", method="POST")[0] == 501


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:8777"])
def test_a_name_of_somebody_elses_that_points_here_gets_nothing(server: serving.Server, host: str) -> None:
    status, told = ask(server, "/", host)
    assert (status, b"home" in told) == (421, False)
    assert ask(server, "/", host, "HEAD")[0] == 421


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "localhost:8777", "[::1]:8777"])
def test_names_of_this_machine_are_served(server: serving.Server, host: str) -> None:
    assert ask(server, "/", host)[0] == 200


def test_a_port_that_is_taken_is_told(server: serving.Server, tmp_path: Path) -> None:
    port = server.server_address[1]
    with pytest.raises(PortTaken, match=f"port {port}"):
        serving.open_server(tmp_path, port)


def test_a_change_of_the_vault_is_seen(tmp_path: Path) -> None:
    before = serving.state(tmp_path)
    assert serving.state(tmp_path) == before
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki/a.md").write_text("# a")
    seen = serving.state(tmp_path)
    assert seen != before
    (tmp_path / "_site").mkdir()
    (tmp_path / "_site/a.html").write_text("x")
    assert serving.state(tmp_path) == seen
