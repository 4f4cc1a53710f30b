"""Schedules: what runs a pass of consolidation every night, as text for a person to put in its place. Installs nothing."""

from __future__ import annotations

_CRON = "23 3 * * *  wikimem --vault {quoted} consolidate --background\n"

_SYSTEMD = """\
# ~/.config/systemd/user/wikimem-consolidate.service
[Unit]
Description=Consolidate a wikimem vault

[Service]
Type=oneshot
ExecStart=wikimem --vault {quoted} consolidate --background
Nice=10

# ~/.config/systemd/user/wikimem-consolidate.timer
# then: systemctl --user enable --now wikimem-consolidate.timer
[Unit]
Description=Consolidate a wikimem vault every night

[Timer]
OnCalendar=*-*-* 03:23:00
RandomizedDelaySec=20min
Persistent=true

[Install]
WantedBy=timers.target
"""

_WORKFLOW = """\
# .github/workflows/consolidate.yml
name: consolidate
on:
  schedule:
    - cron: "23 3 * * *"
  workflow_dispatch:
permissions:
  contents: write
concurrency: wikimem
jobs:
  consolidate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      # Until wikimem is on PyPI, set the repository's variable WIKIMEM to where it is: git+https://HOST/OWNER/wikimem
      - run: pip install "${{ vars.WIKIMEM || 'wikimem' }}"
      - run: |
          git config user.name "wikimem"
          git config user.email "wikimem@users.noreply.github.com"
          wikimem consolidate --background || test $? -eq 3
          git push
"""

_ALL = {"cron": _CRON, "systemd": _SYSTEMD, "workflow": _WORKFLOW}


def of(kind: str, vault: str) -> str:
    """A schedule.

    Args:
        kind: `cron`, `systemd` or `workflow`.
        vault: the folder of the vault; a workflow runs in its own checkout.
    """
    quoted = '"{}"'.format(vault.replace("\\", "\\\\").replace('"', '\\"'))
    if kind == "cron":
        # There, a per cent sign is a new line.
        quoted = quoted.replace("%", "\\%")
    elif kind == "systemd":
        quoted = quoted.replace("%", "%%")
    return _ALL[kind].replace("{quoted}", quoted)
