#!/bin/sh
# mpi.sh JUDDER JUDDER-MPI [KILLS] -- sweeps, batches and random starts over the ranks of MPI give the digits of one process, for any number of ranks, also
# when ranks are killed (2, or KILLS times each) and the command is started again; what goes wrong on one rank ends all of them, with its reason.
judder=$1 program=$2 kills=${3:-2}
[ -x "$judder" ] && [ -x "$program" ] || { echo "usage: mpi.sh JUDDER JUDDER-MPI [KILLS]"; exit 1; }
command -v mpirun > /dev/null || { echo "mpirun is not there: nothing tried"; exit 77; }
# shellcheck source=tests/cli/spread.sh
. "$(cd "$(dirname "$0")" && pwd)/spread.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}" # Open MPI keeps what it took until the end
ranks() { n=$1; shift; timeout 120 mpirun --oversubscribe -np "$n" "$@"; }
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

# Batches, of which one case in five is refused, and random starts.
cases 20 > cases.csv
"$judder" batch plain.yaml --table cases.csv --json -q > one.json
ranks 4 "$program" batch plain.yaml --table cases.csv --json -q > many.json 2> err
same "a batch on four ranks" one.json many.json
ranks 3 "$program" batch plain.yaml --table cases.csv -o many.h5 -q 2> err
"$judder" batch plain.yaml --table cases.csv -o one.h5 -q
"$judder" compare one.h5 many.h5 > out || fail "files of batches: $(cat out)"
knocker knocker.yaml
"$judder" orbit knocker.yaml --starts 60 --json -q > one.json
for n in 2 4; do
    ranks $n "$program" starts knocker.yaml --starts 60 --json -q > many.json 2> err || fail "starts on $n ranks: $(cat err)"
    same "starts on $n ranks" one.json many.json
done
ranks 3 "$program" starts knocker.yaml --starts=60 --threads 2 --json -q > many.json 2> err
same "starts on three ranks of two threads" one.json many.json

# Killed ranks: mpirun ends the others; the same command goes on from the journal. Rank 0 and the others in turn.
kill_ranks() { # FILE MOST COMMAND...
    file=$1 most=$2 i=0; shift 2
    while [ $i -lt "$kills" ] && [ ! -e "$file" ]; do
        ranks 3 sh -c 'echo $$ > rank$OMPI_COMM_WORLD_RANK; exec "$@"' sh "$program" "$@" -o "$file" -q > out 2>&1 & pid=$!
        await_growth "$file.journal" "$most" $pid
        kill -9 "$(cat rank$((i % 3)))" 2> /dev/null
        wait $pid && [ ! -e "$file" ] && fail "a killed rank goes unnoticed"
        i=$((i + 1))
    done
    [ -e "$file" ] && [ $i -lt "$kills" ] && echo "done after $i kills: $*"
    ranks 3 "$program" "$@" --force -o "$file" -q > out 2>&1
    [ -e "$file" ] || fail "after kills: $(cat out)"
    [ -e "$file.journal" ] && fail "the journal stays: $file"
}
model long.yaml 'points: [60, 50]'
kill_ranks long.h5 $((400000 / kills)) sweep long.yaml
"$judder" sweep long.yaml -o whole.h5 -q
"$judder" compare long.h5 whole.h5 > out || fail "sweep after kills: $(cat out)"
until='200 periods'
model slow.yaml 'points: [3, 3]'
cases 300 > cases.csv
kill_ranks batch.h5 $((300000 / kills)) batch slow.yaml --table cases.csv
"$judder" batch slow.yaml --table cases.csv -o all.h5 -q
"$judder" compare batch.h5 all.h5 > out || fail "batch after kills: $(cat out)"
kill_ranks starts.h5 $((25000 / kills)) starts knocker.yaml --starts 400
"$judder" orbit knocker.yaml --starts 400 -o starts-one.h5 -q
"$judder" compare starts.h5 starts-one.h5 > out || fail "starts after kills: $(cat out)"

# What is refused: once, by rank 0.
refused() { # TEXT, then ranks and command
    text=$1; shift
    ranks "$@" > out 2> err && { fail "not refused: $*"; return; }
    grep -q "$text" err out || fail "does not say '$text': $* -- $(cat err out)"
    [ "$(grep -c "$text" err)" -le 1 ] || fail "said more than once: $text"
}
refused 'only .sweep., .batch. and .starts.' 3 "$program" modes plain.yaml
refused 'how many random starts' 3 "$program" starts plain.yaml
refused 'whole number' 3 "$program" starts plain.yaml --starts many
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
    k=0; while [ $k -lt 1000 ] && [ "$(size x.h5.journal)" -lt 2000 ]; do sleep 0.01; k=$((k + 1)); done
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
