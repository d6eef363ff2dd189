#!/bin/sh
# Layout of the tree that no compiler sees: check.sh SOURCE_DIR
#   every file begins by saying what it is; files have less than 500 lines, functions and tables at
#   most 80, structs at most 30 members, folders of src/ at most 20 files; every function and type of the public headers has a comment; folders of src/ depend on
#   each other in one order.
set -u
cd "$1" || exit 2
if git ls-files > /dev/null 2>&1 && [ -n "$(git ls-files '*.c')" ]; then
    files=$(git ls-files '*.c' '*.h')
    scripts=$(git ls-files '*.sh' .ci)
else
    files=$(find bench cli docs gallery include src tests -name '*.[ch]')
    scripts=$(find bench cmake gallery tests -name '*.sh')
fi
failed=0
fail() {
    [ -z "$1" ] || { printf '%s\n' "$1"; failed=1; }
}

# `// name.c -- what it is`, and for scripts a comment in the second line.
# shellcheck disable=SC2086
fail "$(awk '
    function name() { sub(/.*\//, "", base); return base }
    FNR == 1 && FILENAME ~ /\.[ch]$/ {
        base = FILENAME
        start = "// " name() " -- "
        if (index($0, start) != 1 || length($0) <= length(start))
            printf "%s:1: no line `%swhat it is`\n", FILENAME, start
    }
    FNR == 2 && FILENAME !~ /\.[ch]$/ && !/^# ./ {
        print FILENAME ":2: no comment that says what it is"
    }' $files $scripts)"

# Python: a docstring that begins with the name; less than 500 lines, none longer than 140 characters.
python=$(git ls-files '*.py' 2> /dev/null || find python tests -name '*.py')
# shellcheck disable=SC2086
[ -z "$python" ] || fail "$(awk '
    FNR == 1 && FILENAME !~ /__init__\.py$/ {
        base = FILENAME
        sub(/.*\//, "", base)
        if (index($0, "\"\"\"" base " -- ") != 1) printf "%s:1: no docstring `%s -- what it is`\n", FILENAME, base
    }
    FNR == 500 { print FILENAME ": 500 lines or more: what could be a file of its own?" }
    length($0) > 140 { printf "%s:%d: more than 140 characters\n", FILENAME, FNR }' $python)"

# shellcheck disable=SC2086
fail "$(awk 'FNR == 500 { print FILENAME ": 500 lines or more: what could be a file of its own?" }' $files)"

# Blocks at the outermost level, by counting braces outside texts and comments. Types may be longer:
# each of their members is one thing with its comment.
# shellcheck disable=SC2086
fail "$(awk '
    FNR == 1 { depth = first = 0 }
    depth == 0 && /^[A-Za-z]/ { head = $0; first = FNR }
    /^#ifdef __cplusplus/ { cplusplus = 1 } # extern "C" { and its end
    { macro = carried || cplusplus || /^ *#/; carried = macro && /\\$/ }
    /^#endif/ { cplusplus = 0 }
    macro { next }
    {
        line = $0
        gsub(/\\./, "", line)
        gsub(/"[^"]*"/, "", line)
        gsub(/\047[^\047]*\047/, "", line)
        sub(/\/\/.*/, "", line)
        before = depth
        depth += gsub(/{/, "", line) - gsub(/}/, "", line)
        if (before > 0 && depth == 0 && FNR - first + 1 > 80 && head !~ /^(typedef|struct|enum|union)/)
            printf "%s:%d: %d lines, at most 80: %s\n", FILENAME, first, FNR - first + 1, head
    }' $files)"

# A struct has at most 30 members: more are several ideas. Members of a struct within it count as one.
# shellcheck disable=SC2086
fail "$(awk '
    FNR == 1 { depth = 0; inside = 0 }
    {
        line = $0
        sub(/\/\/.*/, "", line)
        if (!inside && line ~ /^(typedef )?struct [a-z_0-9]* ?{/) { inside = FNR; n = depth = 0; head = line; sub(/.*{/, "", line); depth = 1 }
        if (!inside) next
        gsub(/\([^()]*\)/, "", line)
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "{") depth++
            if (c == "}" && --depth == 0) {
                if (n > 30) printf "%s:%d: %d members, at most 30: %s\n", FILENAME, inside, n, head
                inside = 0
                break
            }
            if (depth == 1 && (c == ";" || c == ",")) n++
        }
    }' $(echo "$files" | grep -E '^(src|cli|include)/'))"

# A comment in the line before a declaration, or behind it.
fail "$(awk '
    FNR == 1 { last = "" }
    (/^typedef (struct|enum)/ || (/^[a-z].*\(/ && !/^typedef/)) && !/\/\// && last !~ /^\/\// {
        printf "%s:%d: not documented: %s\n", FILENAME, FNR, $0
    }
    { last = $0 }' include/judder/*.h)"
# A folder of src/ that holds more than 20 files is to be cut into rooms.
fail "$(echo "$files" | sed -n 's#^\(src/.*\)/[^/]*$#\1#p' | sort | uniq -c | awk '
    $1 > 20 { print $2 ": " $1 " files, at most 20" }')"
# Every public header is for C++, too.
for header in include/judder/*.h; do
    [ "$header" = include/judder/judder.h ] || grep -q '^extern "C" {$' "$header" || fail "$header: no extern \"C\""
done
# A folder of src/ uses only those before it; libraries appear where they belong.
fail "$(awk '
    BEGIN {
        n = split("base linalg expsum structure contact drive kernel problem engine analysis model result picture", order)
        for (i = 1; i <= n; i++) level[order[i]] = i
    }
    /^#include "/ {
        split(FILENAME, own, "/")
        split($2, used, "[\"/]")
        if (used[2] in level && level[used[2]] > level[own[2]])
            printf "%s:%d: %s/ stands above %s/\n", FILENAME, FNR, own[2], used[2]
    }
    /^#include <(yaml|hdf5|jansson|sndfile|udunits2)/ && FILENAME !~ /^src\/(model|result|picture)\// ||
    /^#include <(lapacke|cblas|slu_)/ && FILENAME !~ /^src\/linalg\// {
        printf "%s:%d: %s does not belong here\n", FILENAME, FNR, $2
    }' $(echo "$files" | grep ^src/))"
# The drawing of docs/architecture.md shows the folders as they are: same arrows, none against the order.
fail "$(sh docs/architecture.sh . | diff docs/architecture.dot - > /dev/null || echo "docs/architecture.dot is not that of the tree: make docs")"
fail "$(awk -F'"' 'BEGIN { n = split("base linalg expsum structure contact drive kernel problem engine analysis model result picture cli", order, " "); for (i = 1; i <= n; i++) level[order[i]] = i }
    / -> / && level[$4] > level[$2] { print "docs/architecture.dot: " $2 " uses " $4 ", which stands above it" }' docs/architecture.dot)"
exit $failed
