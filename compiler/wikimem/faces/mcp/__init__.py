"""The face towards MCP clients: `wikimem mcp`, a server on standard input and output. It needs the extra `wikimem[mcp]`.

It reads, notes and hands out work; it edits no page, compiles nothing and runs no git but to tell what a page went
through. It answers before an index is there, ends with its client, and prints nothing but protocol.
"""

from __future__ import annotations

import os
import signal
import sys


def main(args: list[str] | None = None) -> int:
    """Serve until the client goes; 0, or 1 with a sentence where the extra is missing."""
    told = sys.argv[1:] if args is None else args
    try:
        import mcp  # noqa: F401
    except ImportError:
        sys.stderr.write("The MCP server needs the package mcp: pip install 'wikimem[mcp]'.\n")
        return 1
    from wikimem.faces.mcp.server import serve

    os.environ["GIT_OPTIONAL_LOCKS"] = "0"
    # An interrupt ends the process at once; asyncio would wait for its threads.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    serve(told[0] if told else None)
    sys.stdout.flush()
    # A call that hangs in a thread must not keep the process when its client is gone.
    os._exit(0)
