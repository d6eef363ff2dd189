#!/bin/sh
# contacts.sh SOURCE JUDDER -- what an event costs engine series, in instructions: three masses with springs and sliders, and 100 sliders on 100 modes.
#   Counted by callgrind, so that a busy machine does not matter. A tenth more than measured fails. bench/contacts.c has the times beside other solvers.
source=$1 judder=$2
[ -x "$judder" ] && [ -d "$source/gallery" ] || { echo "usage: contacts.sh SOURCE JUDDER"; exit 1; }
command -v valgrind > /dev/null || { echo "skipped: no valgrind"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -r "$dir"' EXIT
failed=0

cat > "$dir/chain.yaml" << 'END'
judder: 1
structure: {type: chain, count: 3, mass: 1, stiffness: 1, supports: {left: fixed, right: fixed}, damping: {type: rayleigh, stiffness: 0.02}, points: {x1: {node: 1}, x2: {node: 2}, x3: {node: 3}}}
contacts:
  a: {at: x1, law: {type: coulomb, limit: 1, stiffness: 20}}
  b: {at: x2, against: x1, law: {type: coulomb, limit: 1, stiffness: 20}}
  c: {at: x3, law: {type: stop, gap: 0.25, stiffness: 1}}
drives: {f: {type: harmonic, at: x2, amplitude: 1, frequency: 1.2}}
start: rest
simulate: {until: 100 periods}
END
awk 'BEGIN {
    print "judder: 1\nstructure:\n  type: rod\n  length: 1\n  mass_per_length: 20\n  axial_stiffness: 20\n  modes: 100"
    printf "  supports: {left: free, right: fixed}\n  damping: {type: ratio, value: 0.01}\n  points: {"
    for (j = 0; j < 100; j++) printf "%sp%d: %.17g", j ? ", " : "", j, (j + 0.5) / 100
    print "}\ncontacts:"
    for (j = 0; j < 100; j++) printf "  c%d: {at: p%d, law: {type: coulomb, limit: 0.2, stiffness: 20}}\n", j, j
    print "drives: {f: {type: harmonic, at: p0, amplitude: 12, frequency: 2}}\nstart: rest\nsimulate: {until: 2 periods}"
}' > "$dir/rod.yaml"

cost() { # NAME MODEL MOST: thousands of instructions an event
    events=$("$judder" run --force "$dir/$2" --set simulate.ledger=false --events "$dir/events.csv" > /dev/null && tail -n +2 "$dir/events.csv" | wc -l)
    all=$(OPENBLAS_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=jd_run_advance "$judder" run "$dir/$2" --set simulate.ledger=false --json 2>&1 > /dev/null |
        sed -n 's/.*Collected : *//p')
    awk -v name="$1" -v events="$events" -v all="$all" -v most="$3" 'BEGIN {
        if (events < 100 || all < 1e6) { print name ": nothing was counted"; exit 1 }
        printf "%-24s %d events, %.1f thousand instructions each, at most %g\n", name, events, all / events / 1000, most; exit all / events > 1000 * most }' || failed=1
}

cost "three masses" chain.yaml 85 # measured 77
cost "100 sliders, 100 modes" rod.yaml 800 # measured 729
exit $failed
