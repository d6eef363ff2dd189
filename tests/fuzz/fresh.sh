#!/bin/sh
# fresh.sh BUILD SECONDS -- every fuzz target of a build (build/asan: with sanitizers) for so many seconds each, two at a time, on inputs no run had before: their seed is that of the commit.
#   Needs no libFuzzer. A finding says the number N of its input: BUILD/tests/fuzz.NAME FOLDER $((N + 1)) SEED N.
build=$1 seconds=$2
[ -d "$build/tests/fuzz-seeds" ] && [ "${seconds:-0}" -gt 0 ] || { echo "usage: fresh.sh BUILD SECONDS, after its fuzz.seeds has run"; exit 2; }
here=$(dirname "$0")
seed=$(git -C "$here" rev-parse --short=7 HEAD 2> /dev/null) && seed=$((0x$seed)) || seed=1
export ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=16
one() {
    folder=$here/$1
    [ "$1" != frf ] || folder=$build/tests/fuzz-seeds-frf
    [ -d "$folder" ] || folder=$build/tests/fuzz-seeds
    "$build/tests/fuzz.$1" "$folder" "${seconds}s" $seed > "$build/fresh-$1.log" 2>&1
    code=$?
    printf 'fuzz.%-11s seed %s: %s\n' "$1" $seed "$(tail -1 "$build/fresh-$1.log")"
    [ $code -eq 0 ] || { tail -40 "$build/fresh-$1.log"; return 1; }
}
failed=0
for pair in 'model hdf5' 'document journal' 'matrix table' 'expression frf' 'cases dmig' 'op4 matlab' 'mesh universal'; do
    one "${pair% *}" & pid=$!
    one "${pair#* }" || failed=1
    wait $pid || failed=1
done
exit $failed
