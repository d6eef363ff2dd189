#!/bin/sh
# freedom.sh JUDDER -- `orbit` tells how far contacts that are stuck all along may rest from their place.
#   One mass, k = 100, pushed by 0.3 sin(5 t) against a limit of 1: rigid, +-(1 - 0.3)/k; with a spring of 50 in series its
#   force is 0.3 kt/(k + kt - m w^2) = 0.12, and the slider may rest within (1 - 0.12)(1/k + 1/kt).
judder=$1
[ -x "$judder" ] || { echo "usage: freedom.sh JUDDER"; exit 1; }
failed=0
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

check() { # LAW PLACE
    cat > m.yaml << EOF2
judder: 1
units: SI
structure: {type: chain, count: 1, mass: 1, stiffness: 100, points: {m: {node: 1}}, damping: none, supports: {left: fixed, right: free}}
contacts: {rub: {at: m, law: {type: coulomb, limit: 1$1}}}
drives: {force: {at: m, type: harmonic, amplitude: 0.3, frequency: 5}}
start: $2
orbit: {periods: 1}
EOF2
    "$judder" orbit m.yaml > out 2>&1 || { echo "no orbit: $1"; cat out; failed=1; }
}
check "" rest
grep -q 'stuck        rub may rest within ±0.007 m of its place' out || { echo "rigid:"; cat out; failed=1; }
check "" "{type: state, displacement: [0.004], velocity: [0]}"
grep -q 'stuck        rub may rest from 0.011 m below its place to 0.003 m above it' out || { echo "off its centre:"; cat out; failed=1; }
"$judder" orbit m.yaml --centred > out 2>&1
grep -q 'stuck        rub may rest within ±0.007 m of its place' out || { echo "centred:"; cat out; failed=1; }
"$judder" orbit m.yaml --centred --starts 3 > out 2>&1 && { echo "--centred with --starts"; failed=1; }
check ", stiffness: 50" "{type: state, displacement: [0.004], velocity: [0]}"
"$judder" orbit m.yaml --centred > out 2>&1
grep -q 'stuck        rub may rest within ±0.0264 m of its place' out || { echo "centred, with a spring:"; cat out; failed=1; }
check ", stiffness: 50" rest
grep -q 'stuck        rub may rest within ±0.0264 m of its place' out || { echo "with a spring:"; cat out; failed=1; }
check "" rest
# sliding in every period there is nothing to choose
sed -i 's/limit: 1/limit: 0.1/' m.yaml
"$judder" orbit m.yaml > out 2>&1
grep -q 'may rest' out && { echo "sliding, but free:"; cat out; failed=1; }
exit $failed
