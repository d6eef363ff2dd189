#!/bin/sh
# run.sh [--check] [--all] [--slow] [--trust] [--part K/N] [REGEX] -- plants the bugs of bugs.txt one at a time and reports which the tests let live.
#   --check   only whether every old text occurs exactly once
#   --all     after an entry's own tests all others but slow ones; --slow: these, too
#   --trust   does not run the tests on the tree as it is first
#   --part    the K-th of N equal parts, to run several side by side
#   REGEX     only bugs whose name matches
# In a copy of the tree under TMPDIR, or in MUTATE_TREE, a copy that may have been built already (build/release; it is kept).
# MUTATE_JOBS: processes at a time, 2; MUTATE_SECONDS: after that many a test counts as hanging, 120.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
jobs=${MUTATE_JOBS:-2} seconds=${MUTATE_SECONDS:-120}
check=0 all=0 slow=0 trust=0 part=1 parts=1 only=.
while [ $# -gt 0 ]; do
    case $1 in
    --check) check=1 ;;
    --all) all=1 ;;
    --slow) slow=1 ;;
    --trust) trust=1 ;;
    --part) shift; part=${1%/*} parts=${1#*/} ;;
    -*) sed -n '2,9s/^# *//p' "$0"; exit 2 ;;
    *) only=$1 ;;
    esac
    shift
done
work=$(mktemp -d) || exit 2
tree=${MUTATE_TREE:-$work/tree}
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# One folder per bug: name, file, tests, old, new.
awk -v work="$work" '
    function at(what) { return work "/" n "-" what }
    function flush(what, text) { if (n) { print text > at(what); close(at(what)) } }
    function finish() { flush("old", old); flush("new", new); old = new = "" }
    /^bug: / { finish(); n++; name = substr($0, 6); flush("name", name); next }
    /^file: / { flush("file", substr($0, 7)); next }
    /^tests: / { flush("tests", substr($0, 8)); next }
    /^-/ { old = old (old == "" ? "" : "\n") substr($0, 2); next }
    /^\+/ { new = new (new == "" ? "" : "\n") substr($0, 2); next }
    /^#/ || /^$/ { next }
    { print "bugs.txt:" FNR ": not a line of an entry: " $0; bad = 1 }
    END { finish(); print n > (work "/count"); exit bad }' "$root/tests/mutate/bugs.txt" || exit 2
count=$(cat "$work/count")

# planted NUMBER TREE: the file with the bug in it; fails unless the old text occurs exactly once.
planted() {
    awk -v old="$work/$1-old" -v new="$work/$1-new" -v source="$2/$(cat "$work/$1-file")" '
        function slurp(file, line, text) {
            while ((getline line < file) > 0) text = text line "\n"
            return text
        }
        function trimmed(text) { return substr(text, 1, length(text) - 1) }
        BEGIN {
            ORS = ""
            text = slurp(source); was = trimmed(slurp(old)); is = trimmed(slurp(new))
            from = index(text, was)
            if (was == "" || was == is || from == 0 || index(substr(text, from + 1), was)) exit 3
            print substr(text, 1, from - 1) is substr(text, from + length(was))
        }'
}

# Is every entry whole, can it be planted, and is its name its own?
bad=0
for i in $(seq "$count"); do
    for what in name file tests; do
        [ -s "$work/$i-$what" ] || { echo "bug $i has no $what"; bad=1; }
    done
    planted "$i" "$root" > /dev/null || { echo "$(cat "$work/$i-file"): the old text of \`$(cat "$work/$i-name")\` does not occur exactly once"; bad=1; }
done
twice=$(cat "$work"/*-name | sort | uniq -d)
[ -z "$twice" ] || { echo "twice: $twice"; bad=1; }
[ $bad -eq 0 ] || exit 1
[ $check -eq 0 ] || { echo "$count bugs can be planted"; exit 0; }

build=$tree/build/release
if [ ! -d "$tree/src" ]; then
    mkdir -p "$tree" && (cd "$root" && tar cf - --exclude=./build --exclude=./.git .) | tar xf - -C "$tree" || exit 2
fi
if [ ! -f "$build/build.ninja" ]; then
    (cd "$tree" && cmake --preset release) > "$work/log" 2>&1 || { cat "$work/log"; exit 2; }
fi

labels() { [ $slow -eq 1 ] && echo none || echo slow; } # left out
names() { ctest --test-dir "$build" -N -R "$1" -LE "$(labels)" | sed -n 's/^ *Test *#[0-9]*: //p'; }
# What tests NAMES need; scripts need the command, and may need anything.
targets() {
    for name in $1; do
        case $name in
        unit.* | paper.* | cross.* | fault.* | example.*) echo "$name" ;;
        fuzz.seeds) echo judder-command ;;
        fuzz.*) echo "$name" judder-command ;;
        layout.* | mutate.* | install.deps) ;;
        install.*) echo all ;;
        *) echo judder-command cli.json starved-shim ;;
        esac
    done | tr ' ' '\n' | sort -u
}
# tried REGEX: prints what caught the bug: nothing, a test, `(does not build)`, `(tests were not run)`.
tried() {
    list=$(names "$1" | grep -v '^layout\.\|^mutate\.\|^install\.')
    [ -n "$list" ] || { echo '(tests were not run)'; return 0; } # all are slow
    # shellcheck disable=SC2046
    cmake --build "$build" -j "$jobs" --target $(targets "$list") > "$work/log" 2>&1 || { echo '(does not build)'; return; }
    for file in "$build/CTestTestfile.cmake" "$build/tests/CTestTestfile.cmake"; do
        sed "s/TIMEOUT \"[0-9]*\"/TIMEOUT \"$seconds\"/" "$file" > "$work/file" && cat "$work/file" > "$file"
    done
    ctest --test-dir "$build" -R "$1" -E '^(layout|mutate|install)\.' -LE "$(labels)" -j "$jobs" --timeout "$seconds" --stop-on-failure > "$work/log" 2>&1
    awk '/ Test +#[0-9]+: .*\*\*\*/ { sub(/.* Test +#[0-9]+: /, ""); print $1 (/\*\*\*Timeout/ ? " (hangs)" : ""); found = 1; exit }
        /^100% tests passed/ { found = 1 }
        END { if (!found) print "(tests were not run)" }' "$work/log"
}

# The test that the table of docs/testing.md says caught the bug.
known() {
    awk -F' [|] ' -v name="| $1" '$1 == name && split($3, word, " ") && word[1] ~ /^[a-z]+[.][a-z0-9_]+$/ { print word[1]; exit }' "$root/docs/testing.md"
}
# caught NAME REGEX: as `tried`, but test by test, the one that is known to catch it first, then unit tests: what follows is then neither built nor run.
caught() {
    first=$(known "$1")
    rest=$(names "$2" | grep -vx "${first:-none}")
    [ -n "$(names "${first:-none}|$2")" ] || { echo '(only slow tests are named: not run)'; return; }
    for test in $first $(echo "$rest" | grep '^unit') $(echo "$rest" | grep -v '^unit'); do
        found=$(tried "^$(printf %s "$test" | sed 's/[.]/[.]/')\$")
        [ -z "$found" ] || { echo "$found"; return; }
    done
}

if [ $trust -eq 0 ]; then
    by=$(tried .)
    [ -z "$by" ] || { echo "without any bug: $by"; cat "$work/log"; exit 2; }
fi
survived=0
printf '| bug | in | caught by |\n|---|---|---|\n'
for i in $(seq "$count"); do
    name=$(cat "$work/$i-name") file=$(cat "$work/$i-file") tests=$(cat "$work/$i-tests")
    [ $(((i - 1) % parts + 1)) -eq "$part" ] || continue
    printf '%s\n' "$name" | grep -Eq "$only" || continue
    cp "$tree/$file" "$work/original"
    planted "$i" "$tree" > "$work/planted" && cat "$work/planted" > "$tree/$file"
    by=$(caught "$name" "$tests")
    [ -n "$by" ] || [ $all -eq 0 ] || by=$(tried .)
    cat "$work/original" > "$tree/$file"
    case $by in '' | '(only slow'*) survived=$((survived + 1)) ;; esac
    # shellcheck disable=SC2016
    printf '| %s | `%s` | %s |\n' "$name" "${file#src/}" "${by:-**survived**}"
done
echo
echo "$survived survived"
[ $survived -eq 0 ]
