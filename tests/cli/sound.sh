#!/bin/sh
# sound.sh SOURCE JUDDER -- what a second of sound costs, in instructions, set-up included: lasting stick-slip with much damping (exponentials) and with little (delays).
#   Counted by callgrind, so that a busy machine does not matter: with all that `judder run` asks of an engine but the ledger, and the set-up once in 4 s.
#   bench/bow.c has the times: 100 and 20 times faster than the sound.
source=$1 judder=$2
[ -x "$judder" ] && [ -d "$source/gallery" ] || { echo "usage: sound.sh SOURCE JUDDER"; exit 1; }
command -v valgrind > /dev/null || { echo "skipped: no valgrind"; exit 77; }
failed=0

count() { # FUNCTION ...: instructions of it alone, in millions
    function=$1
    shift
    OPENBLAS_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$function" "$judder" run "$source/gallery/bowed-string/sound.yaml" \
        --set simulate.ledger=false --set simulate.tolerance=1e-3 "$@" --json 2>&1 > /dev/null | sed -n 's/.*Collected : *//p' | awk '{ print $1 / 1e6 }'
}

cost() { # NAME SECONDS MOST SETS...: millions per second of sound, and once for the set-up
    name=$1 seconds=$2 most=$3
    shift 3
    motion=$(count jd_run_advance --set simulate.until="$seconds" "$@") setup=$(count jd_run_create --set simulate.until="$seconds" "$@")
    awk -v name="$name" -v motion="$motion" -v setup="$setup" -v seconds="$seconds" -v most="$most" 'BEGIN {
        if (motion < 1 || setup < 1) { print name ": nothing was counted"; exit 1 }
        each = motion / seconds + setup / 4
        printf "%-10s %.0f million a second, %.0f for the set-up; at 4 s %.0f a second, at most %d\n", name, motion / seconds, setup, each, most; exit each > most }' || failed=1
}

cost "D 0.01" 0.5 100 # measured 93
cost "D 0.001" 0.25 390 --set structure.damping.value=0.001 # measured 380
exit $failed
