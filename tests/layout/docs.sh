#!/bin/sh
# What the documentation names exists: docs.sh SOURCE_DIR
#   links of all Markdown files; files of the tree in `code`; every error and every reason to stop in
#   the page on troubleshooting, with its exit code; every page in the list of pages.
set -u
cd "$1" || exit 2
pages=$(git ls-files '*.md' 2> /dev/null)
[ -n "$pages" ] || pages=$(find . -name '*.md' -not -path './build/*' | sed 's|^\./||')
failed=0
fail() { echo "$1"; failed=1; }

# Links [text](path), ![picture](path), [text](path#part); not those to the web.
# shellcheck disable=SC2086
for found in $(grep -oH '](\([^)]*\))' $pages | sed 's/](//; s/)$//; s/#.*//; s/ .*//' | sort -u); do
    page=${found%%:*} link=${found#*:}
    case $link in http://* | https://* | mailto:*) continue ;; esac
    case $page in */*) folder=${page%/*} ;; *) folder=. ;; esac
    [ -e "$folder/$link" ] || fail "$page: the link to $link leads nowhere"
done

# `src/engine/engine.c`, `tests/unit/*.c`, `gallery/pile/blows.yaml`, alone or within a command.
# shellcheck disable=SC2086
for found in $(grep -oHE '(build/)?\b(src|include|cli|tests|gallery|bench|docs|cmake)/[A-Za-z0-9_./*{},-]*[A-Za-z0-9_*}/]' \
    $(echo "$pages" | grep -v CHANGELOG.md) | sort -u); do
    page=${found%%:*} path=${found#*:}
    case $path in build/* | *{* | *...*) continue ;; esac
    # shellcheck disable=SC2086
    set -- $path "${page%/*}"/$path
    [ -e "$1" ] || [ -e "$2" ] || fail "$page: there is no $path"
done

# Pages name code and tests: `tangent.c`, `engine/exact/observers/margins.c`, the_name_of_a_claim.
tree=$(git ls-files src include cli tests bench gallery docs 2> /dev/null || find src include cli tests bench gallery docs -type f)
known=$(mktemp) && trap 'rm -f "$known"' EXIT
# shellcheck disable=SC2046
{
    echo "$tree" | awk '{ print; while (sub(/^[^\/]*\//, "")) print }'
    grep -ohE '[a-z0-9]+(_[a-z0-9]+){3,}' $(echo "$tree" | grep '\.[ch]$')
} | sort -u > "$known"
missing=$(grep -oHE '[A-Za-z0-9_][A-Za-z0-9_/]*\.[ch]\b|\b[a-z0-9]+(_[a-z0-9]+){3,}\b' docs/theory/*.md docs/decisions/*.md docs/guide/*.md |
    sort -u | awk 'NR == FNR { known[$0]; next } { word = $0; sub(/^[^:]*:/, "", word); if (!(word in known)) print }' "$known" -)
[ -z "$missing" ] || fail "not in the tree: $missing"

# X(JD_SYMBOL, "name", code, "text") and X(JD_STOP_SYMBOL, "name", "text").
help=docs/guide/troubleshooting.md
for entry in $(sed -n 's/^ *X(JD_[A-Z_]*, "\([a-z-]*\)", \([0-9]\),.*/\1:\2/p' include/judder/status.h); do
    name=${entry%:*} code=${entry#*:}
    [ "$name" = ok ] || grep -q "^| \`$name\` | $code |" $help || fail "$help: no row \`$name\` with exit code $code"
done
for name in $(sed -n 's/^ *X(JD_STOP_[A-Z_]*, "\([a-z-]*\)",.*/\1/p' include/judder/run.h); do
    case $name in running | end) continue ;; esac
    grep -q "^| \`$name\` |" $help || fail "$help: no row for the reason \`$name\`"
done

# The page of the gallery: how many pictures there are, and a row for every case.
count=$(grep -c '^figure ' gallery/figures.txt)
grep -q "draws all $count " gallery/README.md || fail "gallery/README.md: there are $count pictures"
for case in gallery/*/; do
    case=$(basename "$case")
    grep -q "^| \[<img src=\"$case/.*\[$case\]($case/README.md): " gallery/README.md || fail "gallery/README.md: no row for $case"
done
for picture in $(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' gallery/README.md); do
    [ -f "gallery/$picture" ] || fail "gallery/README.md: $picture is not there"
done

# Pictures name quantities in words, not by paths of the model.
paths=$(grep -lE '<text>[^<]*(contacts|drives|structure|bodies|simulate)\.[a-z_]+\.' gallery/*/*.svg)
[ -z "$paths" ] || fail "a path in the text of $paths"

# Sentences that strangers stumbled over, in documentation and in what the command says.
# shellcheck disable=SC2046,SC2086
old=$(grep -nEi 'what it is worth|adds? up to .{0,8}1e-1[0-9] of the work|proved between all of them|small change (shrinks|grows)|a second is a second|stopped from outside|nothing speaks against|how far (the )?digits|what (a|each) contact feels|what contacts feel|a change dies out' \
    $(echo "$pages" | grep -v CHANGELOG.md) $(git ls-files 'cli/*.c' 'src/*.c' 'include/*.h' 'python/judder/*.py' docs/judder.1 2> /dev/null))
[ -z "$old" ] || fail "say it in the words of a textbook: $old"

for page in docs/guide/*.md docs/theory/*.md docs/decisions/*.md; do
    grep -q "](${page#docs/})" docs/README.md || fail "docs/README.md: no link to ${page#docs/}"
done
exit $failed
