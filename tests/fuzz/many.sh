#!/bin/sh
# many.sh BUILD SEEDS LEDGER COUNT TARGET [PIECE] -- one fuzz target of a build until the ledger, a file, holds COUNT inputs without a finding of this build; can be stopped and goes on where it was.
#   SEEDS is the folder of the seeds: tests/fuzz/NAME, BUILD/tests/fuzz-seeds or fuzz-seeds-frf. Each piece, 500 000 inputs unless told, has a seed of its own, which its line of the ledger begins with.
#   A finding ends it and says the number N of its input: BUILD/tests/fuzz.NAME SEEDS $((N + 1)) SEED N.
build=$1 seeds=$2 ledger=$3 count=$4 name=$5 piece=${6:-500000}
[ -x "$build/tests/fuzz.$name" ] && [ -d "$seeds" ] && [ "${count:-0}" -gt 0 ] || { sed -n '2s/^# *//p' "$0"; exit 2; }
export ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=16
export OPENBLAS_NUM_THREADS=1
touch "$ledger" || exit 2
done_so_far() { awk -v b="$build" -v t="$name" '$2 == b && $3 == t { n += $6 } END { print n + 0 }' "$ledger"; }
while [ "$(done_so_far)" -lt "$count" ]; do
    seed=$(($(tail -1 "$ledger" | cut -d' ' -f1) + 1))
    said=$("$build/tests/fuzz.$name" "$seeds" "$piece" "$seed" 2>&1) || { echo "fuzz.$name, seed $seed: $said"; exit 1; }
    echo "$seed $build $name $said" >> "$ledger"
done
echo "fuzz.$name: $(done_so_far) inputs"
