#!/bin/sh
# shards.sh JUDDER FOLDER [JUDDER-MPI] -- what many processes cost beside one: processor time of the 100 x 100 map of the damped beam in 64 shards, merged,
# over one run with one thread (at most 1.05); and, where judder-mpi is, wall time of two threads over that of four ranks on two processors (at least 0.9),
# with the ratio of processor times beside it. POINTS=30,30 takes a smaller map, for a look.
set -eu
points=${POINTS:-100,100}
judder=$1 folder=$2 mpi=${3:-} model=$(cd "$(dirname "$0")/.." && pwd)/gallery/friction-beam/map.yaml
cd "$folder"
rm -f whole.h5* part*.h5* map.h5* ranks.h5*
# User and system time of all children so far [s]; not in a subshell, which has children of its own.
spent() { tail -n 1 times | tr 'ms' '  ' | awk '{ print 60 * ($1 + $3) + $2 + $4 }'; }
over() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }
times > times; t0=$(spent)
"$judder" sweep "$model" --set "sweep.points=[$points]" --threads 1 -q -o whole.h5
times > times; t1=$(spent)
k=1; while [ $k -le 64 ]; do "$judder" sweep "$model" --set "sweep.points=[$points]" --shard $k/64 --threads 1 -q -o part$k.h5; k=$((k + 1)); done
times > times; t2=$(spent)
"$judder" merge part*.h5 -q -o map.h5
times > times; t3=$(spent)
"$judder" compare map.h5 whole.h5
ratio=$(awk -v a="$t0" -v b="$t1" -v c="$t3" 'BEGIN { printf "%.3f", (c - b) / (b - a) }')
merge=$(awk -v a="$t2" -v b="$t3" 'BEGIN { printf "%.2f", b - a }')
missed=0
awk -v r="$ratio" 'BEGIN { exit !(r <= 1.05) }' && word=met || { word=MISSED; missed=1; }
printf 'Map of the beam, %s points, 64 shards and merge (%s s) over one run: %s of 1.05 allowed  %s\n' "$points" "$merge" "$ratio" $word
rm -f part*.h5 map.h5
[ -n "$mpi" ] || exit $missed
wall() { # FILE COMMAND...: its wall and processor time [s]
    file=$1; shift
    times > times; before=$(spent); begin=$(date +%s.%N)
    "$@"
    times > times; awk -v a="$begin" -v b="$(date +%s.%N)" -v c="$before" -v d="$(spent)" 'BEGIN { print b - a, d - c }' >> "$file"
}
rm -f threads.txt ranks.txt
for turn in $(seq "${TURNS:-3}"); do # in turn: a busy machine slows both
    rm -f ranks.h5* whole.h5*
    wall threads.txt taskset -c 0,1 "$judder" sweep "$model" --set "sweep.points=[$points]" --threads 2 -q -o whole.h5
    wall ranks.txt taskset -c 0,1 mpirun --allow-run-as-root --oversubscribe --bind-to none -np 4 "$mpi" sweep "$model" --set "sweep.points=[$points]" -q -o ranks.h5
done
"$judder" compare ranks.h5 whole.h5
best() { sort -n -k "$2" "$1" | head -1 | cut -d ' ' -f "$2"; }
share=$(over "$(best threads.txt 1)" "$(best ranks.txt 1)")
awk -v r="$share" 'BEGIN { exit !(r >= 0.9) }' && word=met || { word=MISSED; missed=1; }
printf 'The same by four ranks of MPI on two processors, start of mpirun included: %s of the speed of two threads, 0.9 wanted  %s (processor time: %s)\n' "$share" $word "$(over "$(best threads.txt 2)" "$(best ranks.txt 2)")"
rm -f threads.txt ranks.txt times whole.h5 ranks.h5
exit $missed
