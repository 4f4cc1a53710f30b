"""Where the known tools keep their sessions on this machine. It only says where to look; nothing is opened here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_BESIDE_CODE = (".aider.chat.history.md", ".specstory/history")


def sessions(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> list[Path]:
    """Folders and files in which tools keep sessions, those that exist, in a fixed order.

    Args:
        environ: names that move a tool's folder, and the home.
        platform: as `sys.platform`.
    """
    found = dict.fromkeys(path for path in _known(environ, platform) if path.exists())
    return list(found)


def beside_code(folders: Iterable[str]) -> list[Path]:
    """Sessions that tools keep in the folders of the projects themselves.

    Args:
        folders: where sessions of any tool were held.
    """
    found = (Path(folder) / name for folder in sorted(set(folders)) if folder for name in _BESIDE_CODE)
    return [path for path in found if path.is_absolute() and path.exists()]


def _known(environ: Mapping[str, str], platform: str) -> Iterator[Path]:
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())

    def moved(name: str, usual: Path) -> Path:
        return Path(environ[name]).expanduser() if environ.get(name) else usual

    data = moved("XDG_DATA_HOME", home / ".local" / "share")
    config = moved("XDG_CONFIG_HOME", home / ".config")
    yield moved("CLAUDE_CONFIG_DIR", home / ".claude") / "projects"
    yield config / "claude" / "projects"
    codex = moved("CODEX_HOME", home / ".codex")
    yield codex / "sessions"
    yield codex / "archived_sessions"
    # Beside the chats lie logs and shell histories, which are no sessions.
    yield from sorted((moved("GEMINI_CLI_HOME", home) / ".gemini" / "tmp").glob("*/chats"))
    qwen = home / ".qwen"
    yield from sorted((*qwen.glob("projects/*/chats"), *qwen.glob("tmp/*/chats")))
    for folder in (data, home / "Library" / "Application Support", Path(environ.get("LOCALAPPDATA") or data)):
        yield folder / "opencode" / "opencode.db"
        yield folder / "opencode" / "storage"
    yield from _cursor(home, environ, platform, config)
    yield moved("COPILOT_HOME", home / ".copilot") / "session-state"
    yield moved("PI_CODING_AGENT_DIR", home / ".pi" / "agent") / "sessions"
    yield from sorted(moved("OPENCLAW_STATE_DIR", home / ".openclaw").glob("agents/*/sessions"))
    hermes = moved("HERMES_HOME", home / ".hermes")
    yield hermes / "state.db"
    yield hermes / "sessions"
    yield moved("KIMI_CODE_HOME", home / ".kimi-code") / "sessions"
    yield home / ".factory" / "sessions"


def _cursor(home: Path, environ: Mapping[str, str], platform: str, config: Path) -> Iterator[Path]:
    if platform == "darwin":
        user = home / "Library" / "Application Support" / "Cursor" / "User"
    elif platform == "win32":
        user = Path(environ.get("APPDATA") or home / "AppData" / "Roaming") / "Cursor" / "User"
    else:
        user = config / "Cursor" / "User"
    yield user / "globalStorage" / "state.vscdb"
    yield from sorted(user.glob("workspaceStorage/*/state.vscdb"))
    yield from sorted((home / ".cursor").glob("projects/*/agent-transcripts"))
    yield home / ".cursor" / "chats"
