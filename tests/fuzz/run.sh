#!/bin/sh
# run.sh [SECONDS [TARGET...]] -- every fuzz target under libFuzzer with sanitizers, 25 s each unless told, two at a time; findings stay in build/fuzz/found.
seconds=${1:-25}
[ $# -gt 0 ] && shift
cd "$(dirname "$0")/../.." || exit 2
mkdir -p build
cmake --preset fuzz > build/fuzz.log 2>&1 && cmake --build --preset fuzz -j "$(nproc)" -- --quiet || { cat build/fuzz.log; exit 2; }
seeds=build/release/tests/fuzz-seeds
[ -d $seeds-frf ] || sh tests/fuzz/seeds.sh build/release/judder gallery $seeds || exit 2
mkdir -p build/fuzz/found
[ $# -gt 0 ] || set -- model hdf5 document journal matrix table expression frf cases dmig op4 matlab mesh universal
one() {
    folder=tests/fuzz/$2; [ -d "$folder" ] || folder=$seeds
    [ "$2" != frf ] || folder=$seeds-frf
    texts=; [ "$folder" = $seeds ] || texts=$folder # what the others damage is no input of theirs
    longest=1000; [ -n "$texts" ] || longest=60     # choices: more are not looked at
    work=build/fuzz/corpus-$2; mkdir -p "$work"
    # leaks are looked for at the end; a small quarantine stays in the processor's cache
    # shellcheck disable=SC2086
    JD_FUZZ_SEEDS=$folder ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=16 build/fuzz/tests/fuzz."$2" -max_total_time="$1" -len_control=0 \
        -max_len=$longest -detect_leaks=0 -timeout=10 -rss_limit_mb=3000 -artifact_prefix=build/fuzz/found/"$2"- -print_final_stats=1 "$work" $texts > "build/fuzz/$2.log" 2>&1
    code=$?
    printf '%-11s %s inputs, exit %s\n' "$2" "$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$2.log")" $code
    [ $code -eq 0 ] || { tail -40 "build/fuzz/$2.log"; return 1; }
}
failed=0
while [ $# -gt 0 ]; do
    first=$1; shift
    one "$seconds" "$first" & pid=$!
    [ $# -gt 0 ] && { one "$seconds" "$1" || failed=1; shift; }
    wait $pid || failed=1
done
exit $failed
