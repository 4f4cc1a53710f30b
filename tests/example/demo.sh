#!/bin/sh
# The product on the example sessions, in a vault that is thrown away.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
run() { say "$@"; "$@"; }

cd "$work"
run wikimem init my-memory
cd my-memory
run wikimem ingest "$here/sessions"
run wikimem ingest "$here/sessions/notes"/*.md
say 'git log --stat   # one reviewable commit a run'
git --no-pager log --stat --format='%h %s' -1 | head -12
source=$(wikimem status --json >/dev/null && ls sources/2026/*/*claude-code*.jsonl | head -1)
id=$(basename "$source" .jsonl)
run wikimem show "$id" | head -24
say "grep -rn 'masked:' sources   # a secret never reached the disk"
grep -rno 'masked:[a-z-]*' sources | head -4
run wikimem status
run wikimem verify
say 'wikimem ingest again   # nothing new, no commit'
wikimem ingest "$here/sessions"
