#!/bin/sh
# mpi.sh JUDDER JUDDER-MPI [KILLS] -- sweeps and batches over the ranks of MPI give the digits of one process, for any number of ranks, also when
# ranks are killed (2, or KILLS times) and the command is started again; what goes wrong on one rank ends all of them, with its reason.
judder=$1 program=$2 kills=${3:-2}
[ -x "$judder" ] && [ -x "$program" ] || { echo "usage: mpi.sh JUDDER JUDDER-MPI [KILLS]"; exit 1; }
command -v mpirun > /dev/null || { echo "mpirun is not there: nothing tried"; exit 77; }
failed=0
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "$*"; failed=1; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}" # Open MPI keeps what it took until the end
ranks() { n=$1; shift; timeout 120 mpirun --oversubscribe -np "$n" "$@"; }
digits() { tr -d ' \n' < "$1" | sed 's/"cpu_seconds":[^,}]*//; s/,}/}/g'; }
same() { # WHAT ONE OTHER
    digits "$2" > one.txt; digits "$3" > two.txt
    [ -s one.txt ] && cmp -s one.txt two.txt || fail "$1: digits differ"
}

model() { # FILE REST-OF-THE-SWEEP
    cat > "$1" << EOF2
judder: 1
structure: {type: fe-beam, length: 2.47 m, bending_stiffness: 1.09e4 N m^2, mass_per_length: 35.4 kg/m, elements: 2,
  supports: {left: clamped, right: free}, points: {mid: 1.235 m, tip: 2.47 m}, damping: {type: rayleigh, mass: 0.025 1/s, stiffness: 5.5e-5 s}}
contacts: {tip: {at: tip, law: {type: coulomb, limit: 0.66 N}}}
drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4 N, frequency: {times: 1.1, mode: 1}}}
start: rest
simulate: {until: 20 periods}
sweep: {parameters: [drives.shaker.frequency.times, contacts.tip.law.limit], from: [0.8, 0.3 N], to: [2.9, 1.4 N], samples: 3, $2}
EOF2
}
model plain.yaml 'points: [12, 10]'
model carried.yaml 'points: [8, 5], direction: both'
for name in plain carried; do
    "$judder" sweep $name.yaml --json -q > one.json
    for n in 2 4; do
        ranks $n "$program" sweep $name.yaml --json -q > many.json 2> err || fail "$name on $n ranks: $(cat err)"
        same "$name on $n ranks" one.json many.json
    done
done
ranks 1 "$program" sweep plain.yaml --json -q > many.json 2> err || fail "one rank: $(cat err)"
grep -q 'one rank only' err || fail "one rank is not told"
"$judder" sweep plain.yaml --json -q > one.json
same "one rank" one.json many.json
ranks 3 "$program" sweep plain.yaml --shard 1/2 -o s1.h5 -q && "$judder" sweep plain.yaml --shard 2/2 -o s2.h5 -q && "$judder" merge s1.h5 s2.h5 --json > many.json
same "a shard on three ranks" one.json many.json

# Batches; one case in five is refused.
{ echo 'contacts.tip.law.limit,drives.shaker.amplitude'
  i=0; while [ $i -lt 20 ]; do echo "$([ $((i % 5)) = 3 ] && echo -1 || echo 0.$((i + 10))),$((i % 3 + 1)).5"; i=$((i + 1)); done; } > cases.csv
"$judder" batch plain.yaml --table cases.csv --json -q > one.json
ranks 4 "$program" batch plain.yaml --table cases.csv --json -q > many.json 2> err
same "a batch on four ranks" one.json many.json
ranks 3 "$program" batch plain.yaml --table cases.csv -o many.h5 -q 2> err
"$judder" batch plain.yaml --table cases.csv -o one.h5 -q
"$judder" compare one.h5 many.h5 > out || fail "files of batches: $(cat out)"

# Killed ranks: mpirun ends the others; the same command goes on from the journal.
model long.yaml 'points: [60, 50]'
"$judder" sweep long.yaml --json -q > one.json
i=0; while [ $i -lt "$kills" ]; do
    ranks 3 sh -c 'echo $$ > rank$OMPI_COMM_WORLD_RANK; exec "$@"' sh "$program" sweep long.yaml --force -o long.h5 -q > out 2>&1 & pid=$!
    k=0; size=$({ wc -c < long.h5.journal || echo 0; } 2> /dev/null)
    while [ $k -lt 1000 ] && kill -0 $pid 2> /dev/null && [ "$({ wc -c < long.h5.journal || echo 0; } 2> /dev/null)" -lt $((size + 20000)) ]; do sleep 0.01; k=$((k + 1)); done
    kill -9 "$(cat rank$((i % 3)))" 2> /dev/null # rank 0 and the others in turn
    wait $pid && [ ! -e long.h5 ] && fail "a killed rank goes unnoticed"
    i=$((i + 1))
done
[ -e long.h5 ] && echo "the sweep was done before the last kill"
ranks 3 "$program" sweep long.yaml --force -o long.h5 -q > out 2>&1 || fail "after kills: $(cat out)"
"$judder" sweep long.yaml -o whole.h5 -q
"$judder" compare long.h5 whole.h5 > out || fail "after kills: $(cat out)"
[ -e long.h5.journal ] && fail "the journal stays"

# What is refused: once, by rank 0.
refused() { # TEXT, then ranks and command
    text=$1; shift
    ranks "$@" > out 2> err && { fail "not refused: $*"; return; }
    grep -q "$text" err out || fail "does not say '$text': $* -- $(cat err out)"
    [ "$(grep -c "$text" err)" -le 1 ] || fail "said more than once: $text"
}
refused 'only .sweep. and .batch.' 3 "$program" modes plain.yaml
refused 'cannot read .nothing.yaml' 3 "$program" sweep nothing.yaml -o x.h5
refused 'K from 1 to N' 3 "$program" sweep plain.yaml --shard 4/3 -o x.h5
refused 'no table of cases' 2 "$program" batch plain.yaml
# One rank has another model, or none.
cat > other.sh << 'EOF2'
file=$1; shift
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && exec "$@" sweep "$file" --force -o x.h5 -q
exec "$@" sweep plain.yaml --force -o x.h5 -q
EOF2
sed 's/0.66 N/0.67 N/' plain.yaml > changed.yaml
refused 'rank 1 has other work' 3 sh other.sh changed.yaml "$program"
refused 'rank 1 cannot begin: .*nothing.yaml' 3 sh other.sh nothing.yaml "$program"
# No more room for the journal on rank 0, by a limit of its files that is set while it runs.
if command -v prlimit > /dev/null; then
    ranks 3 sh -c 'echo $$ > rank$OMPI_COMM_WORLD_RANK; exec "$@"' sh "$program" sweep long.yaml --force -o x.h5 -q > out 2>&1 & pid=$!
    k=0; while [ $k -lt 1000 ] && [ "$({ wc -c < x.h5.journal || echo 0; } 2> /dev/null)" -lt 2000 ]; do sleep 0.01; k=$((k + 1)); done
    prlimit --pid "$(cat rank0)" --fsize=50000 2> err || echo "no limit could be set: $(cat err)"
    wait $pid && fail "a full disk goes unnoticed"
    [ "$(grep -c 'cannot write .x.h5.journal' out)" = 1 ] || fail "full disk: $(cat out)"
    ranks 3 "$program" sweep long.yaml --force -o x.h5 -q > out 2>&1 || fail "after a full disk: $(cat out)"
    "$judder" compare x.h5 whole.h5 > out || fail "after a full disk: $(cat out)"
    rm -f x.h5
fi
[ -e x.h5 ] && fail "a refused call leaves a file"
[ $failed = 0 ] && echo "ranks and threads give the same"
exit $failed
