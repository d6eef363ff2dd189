#!/bin/sh
# ledger.sh SOURCE JUDDER -- what the energy ledger costs, in instructions of the motion: at most 1.3 times those without it.
#   Counted by callgrind, so that a busy machine does not matter: a bowed string with 160 modes, which has the most to book, with 40, with four contacts, with a drive, and sound.
source=$1 judder=$2
[ -x "$judder" ] && [ -d "$source/gallery" ] || { echo "usage: ledger.sh SOURCE JUDDER"; exit 1; }
command -v valgrind > /dev/null || { echo "skipped: no valgrind"; exit 77; }
failed=0

count() { # instructions of the motion alone
    OPENBLAS_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=jd_run_advance "$judder" run "$@" --json 2>&1 > /dev/null |
        sed -n 's/.*Collected : *//p'
}

cost() { # NAME MODEL SETS...: with over without
    name=$1 model=$source/gallery/bowed-string/$2
    shift 2
    with=$(count "$model" "$@" --set simulate.ledger=true) without=$(count "$model" "$@" --set simulate.ledger=false)
    awk -v name="$name" -v with="$with" -v without="$without" 'BEGIN {
        if (without < 1e6) { print name ": nothing was counted"; exit 1 }
        printf "%-20s %.3f\n", name, with / without; exit with / without > 1.3 }' || failed=1
}

cost "160 modes, D 0.1" string.yaml --set structure.modes=160 --set simulate.tolerance=1e-6
cost "40 modes, D 0.01" string.yaml --set structure.modes=40 --set structure.damping.value=0.01 --set simulate.tolerance=1e-6
cost "80 modes, 4 contacts" string.yaml --set structure.modes=80 --set structure.damping.value=0.02 --set simulate.tolerance=1e-6 --set simulate.until=5 \
    --set 'structure.points={bow: 0.3, b: 0.8, c: 0.55, d: 0.12}' \
    --set 'contacts={a: {at: bow, against: {velocity: 0.5}, law: {type: coulomb, limit: 1}}, b: {at: b, law: {type: coulomb, limit: 1}}, c: {at: c, law: {type: coulomb, limit: 1}}, d: {at: d, law: {type: coulomb, limit: 0.3}}}'
cost "20 modes, a drive" string.yaml --set structure.modes=20 --set simulate.tolerance=1e-6 --set simulate.until=100 --set 'structure.points={bow: 0.4, d: 0.7}' \
    --set 'drives={f: {at: d, type: harmonic, amplitude: 0.5, frequency: 3}}' --set simulate.engine=memory
cost "sound, D 0.01" sound.yaml --set simulate.until=0.05
exit $failed
