#!/bin/sh
# instructions.sh SOURCE PROGRAM [held] -- what an event costs the exact engine, in instructions (callgrind: a busy machine does not matter):
#   everything jd_run_advance does, the bases and the energy ledger included, over the number of events. PROGRAM is instructions.c.
#   Fails above what is asked for; with `held` above what is reached, and a margin (the test cli.instructions).
source=$1 program=$2 held=$3
[ -x "$program" ] && [ -d "$source/gallery" ] || { echo "usage: instructions.sh SOURCE PROGRAM [held]"; exit 1; }
command -v valgrind > /dev/null || { echo "skipped: no valgrind"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -r "$dir"' EXIT
failed=0

cost() { # NAME ASKED HELD MODEL END [KEY=VALUE]
    name=$1 most=$2
    [ -z "$held" ] || most=$3
    shift 3
    model=$source/gallery/$1
    shift
    OPENBLAS_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=jd_run_advance "$program" "$model" "$@" > "$dir/events" 2> "$dir/log"
    awk -v name="$name" -v events="$(cat "$dir/events")" -v all="$(sed -n 's/.*Collected : *//p' "$dir/log")" -v most="$most" 'BEGIN {
        if (events < 10 || all < 1e4) { print name ": nothing was counted"; exit 1 }
        printf "  %-26s %5d events %7.0f instructions each, at most %g  %s\n", name, events, all / events, most, (all / events > most ? "MISSED" : "met")
        exit (all / events > most) }' || failed=1
}

# With e = 0.8 there are 13 impacts in 1000 s: what is counted is the proof that there are no others between. Nothing is asked of it.
printf '\nInstructions of an event\n'
cost "P1 friction beam, damped" 8000 19000 friction-beam/rayleigh.yaml 100
cost "P1u undamped" 12000 20000 friction-beam/undamped.yaml 20
cost "P3 impact chain, e = 0.8" 50000 50000 impact-chain/n5.yaml 1000 contacts.end.law.restitution=0.8
cost "P3 impact chain, e = 1" 4000 12000 impact-chain/n5.yaml 1000
exit $failed
