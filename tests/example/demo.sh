#!/bin/sh
# The product on the example sessions, in a vault that is thrown away.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); fi
say() { printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"; }
run() { say "$@"; "$@"; }

cd "$work"
run wikimem init my-memory
cd my-memory
run wikimem ingest "$here/sessions/claude-code"
run wikimem ingest --scope project:tallyhusk "$here/sessions/meetings" "$here/sessions/specstory" "$here/sessions/ops-desk" \
    "$here/sessions/notes"/*.md
run wikimem compile   # the first one ends with what stands out
say 'git log --oneline   # one reviewable commit a source'
git --no-pager log --oneline
run wikimem show migrations
say 'git show --stat     # what such a commit says and holds'
git --no-pager show --stat --format='%s%n%n%b' HEAD | head -60
run wikimem diff HEAD~3..HEAD
run wikimem history testing
run wikimem why "never edit a migration that has been applied"
run wikimem recall --budget 500 "which port does the staging database use?"
run wikimem search --limit 3 --speaker human tabs
say "grep -rn 'TZ=UTC' wiki/topics wiki/procedures   # what an agent with a shell does"
grep -rn 'TZ=UTC' wiki/topics wiki/procedures | cut -c1-160 | head -4
say "grep -rn 'masked:' sources   # a secret never reached the disk"
grep -rno 'masked:[a-z-]*' sources | head -4
run wikimem recompile --check
run wikimem status
run wikimem verify
say 'wikimem compile     # again: nothing to do, no commit'
wikimem compile
