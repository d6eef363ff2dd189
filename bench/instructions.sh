#!/bin/sh
# instructions.sh SOURCE PROGRAM [held] -- what an event costs the exact engine, and a step the wave engine, in instructions (callgrind: a busy machine does not matter):
#   everything jd_run_advance does, the bases and the energy ledger included, over the number of events; and how they grow with the number of modes
#   once the bases are made. PROGRAM is instructions.c.
#   Fails above what is asked for; with `held` above what is reached, and a margin (the test cli.instructions).
source=$1 program=$2 held=$3
[ -x "$program" ] && [ -d "$source/gallery" ] || { echo "usage: instructions.sh SOURCE PROGRAM [held]"; exit 1; }
command -v valgrind > /dev/null || { echo "skipped: no valgrind"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -r "$dir"' EXIT
failed=0

count() { # MODEL END SKIP [KEY=VALUE]: events and instructions
    OPENBLAS_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=counted "$program" "$@" 2> "$dir/log"
    sed -n 's/.*Collected : *//p' "$dir/log"
}

cost() { # NAME ASKED HELD MODEL END [KEY=VALUE]
    name=$1 most=$2
    [ -z "$held" ] || most=$3
    model=$source/gallery/$4 end=$5
    shift 5
    count "$model" "$end" 0 "$@" | tr '\n' ' ' | awk -v name="$name" -v most="$most" -v what="${what:-events}" '{
        if ($1 < 10 || $2 < 1e4) exit
        seen = 1; each = $2 / $1; bad = each > most
        printf "  %-26s %5d %s %7.0f instructions each, at most %g  %s\n", name, $1, what, each, most, (bad ? "MISSED" : "met") }
        END { if (!seen) print name ": nothing was counted"; exit !seen || bad }' || failed=1
}

slope() { # MODES...: an event may cost 2.3 times as much with twice as many modes; the first twelve make the bases
    for modes; do
        printf '%d ' "$modes"
        count "$source/bench/rod.yaml" 9 12 structure.modes="$modes" | tr '\n' ' '
        echo
    done | awk '{
        if ($2 < 10 || $3 < 1e4) exit
        each = $3 / $2
        printf "  rod of %4d modes           %5d events %7.0f instructions each", $1, $2, each
        if (last) { ratio = each / last; bad += ratio > 2.3; printf ", %.2f times as many, at most 2.3  %s", ratio, (ratio > 2.3 ? "MISSED" : "met") }
        print ""; last = each; seen = NR }
        END { if (seen < NR || seen < 2) print "rods: nothing was counted"; exit seen < NR || seen < 2 || bad }' || failed=1
}

# With e = 0.8 there are 13 impacts in 1000 s: what is counted is the proof that there are no others between. Nothing is asked of it.
printf '\nInstructions of an event\n'
cost "P1 friction beam, damped" 8000 16500 friction-beam/rayleigh.yaml 100
cost "P1u undamped" 12000 17400 friction-beam/undamped.yaml 20
cost "P3 impact chain, e = 0.8" 48000 48000 impact-chain/n5.yaml 1000 contacts.end.law.restitution=0.8
cost "P3 impact chain, e = 1" 4000 11300 impact-chain/n5.yaml 1000
# Two rods of 304 nodes that rub, a pile of 401 nodes that goes down. Asked for: 1.05 times what a step cost before rods could move along others,
# have sections and loads along their length (4334 and 58 900); without ledger 2241, of which 1.07 times as many are taken now: 1.05 times the time at most.
what=steps
cost "wave, two rods" 4550 4300 two-rods/harmonic20.yaml 3
cost "wave, without ledger" 2500 2500 two-rods/harmonic20.yaml 3 simulate.ledger=false
cost "wave, pile" 61800 41000 pile/blows.yaml 0.1
what=
if [ -n "$held" ]; then slope 500 1000; else slope 500 1000 2000; fi
exit $failed
