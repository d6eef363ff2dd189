#!/bin/sh
# hertz.sh JUDDER -- ranges written in Hz are printed and kept in Hz, with the unit told, by follow and sweep.
judder=$1
[ -x "$judder" ] || { echo "usage: hertz.sh JUDDER"; exit 1; }
failed=0
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "$*"; failed=1; }

model() { # FREQUENCY FROM TO
    cat > m.yaml << EOF2
judder: 1
structure: {type: chain, count: 1, mass: 1 kg, stiffness: 100 N/m, damping: {type: ratio, value: 0.05}, supports: {left: fixed, right: free}, points: {tip: {node: 1}}}
contacts: {rub: {at: tip, law: {type: coulomb, limit: 0.3 N}}}
drives: {shake: {at: tip, type: harmonic, amplitude: 1 N, frequency: $1}}
start: rest
follow: {parameter: drives.shake.frequency, from: $2, to: $3}
sweep: {parameters: drives.shake.frequency, from: $2, to: $3, points: 3}
EOF2
}

model "1.5 Hz" "1.5 Hz" "2.5 Hz"
"$judder" follow --force m.yaml --csv f.csv -o f.h5 > f.txt || fail "follow failed"
grep -q 'from 1.5 to 2.5 Hz' f.txt || fail "follow does not print Hz"
head -1 f.csv | grep -q '^parameter \[Hz\],' || fail "the table of follow does not tell Hz"
awk -F, 'NR == 2 { a = $1 } END { exit !(a == 1.5 && $1 > 2.4999999 && $1 < 2.5000001) }' f.csv || fail "follow is not kept in Hz"
"$judder" info f.h5 --json | tr -d ' \n' | grep -q '"unit":"Hz"' || fail "the file of follow does not tell Hz"
"$judder" sweep --force m.yaml --csv s.csv -o s.h5 > s.txt || fail "sweep failed"
grep -q 'from 1.5 to 2.5 Hz, 3 values' s.txt || fail "sweep does not print Hz"
head -1 s.csv | grep -q '^drives.shake.frequency \[Hz\],' || fail "the table of sweep does not tell Hz"
awk -F, 'NR == 3 { exit !($1 > 1.9999999 && $1 < 2.0000001) }' s.csv || fail "sweep is not kept in Hz"
"$judder" info s.h5 --json | tr -d ' \n' | grep -q '"unit":"Hz"' || fail "the file of sweep does not tell Hz"

# The same motion in rad/s: same amplitudes, the unit in the head.
awk -F, 'NR > 1 { print $2 }' s.csv > hz
model "9.42477796076938 rad/s" "9.42477796076938 rad/s" "15.707963267948966 rad/s"
"$judder" sweep --force m.yaml --csv s.csv > /dev/null || fail "sweep in rad/s failed"
head -1 s.csv | grep -q '^drives.shake.frequency \[rad/s\],' || fail "the table of sweep does not tell rad/s"
awk -F, 'NR > 1 { print $2 }' s.csv > si
paste hz si | awk '{ d = $1 - $2; if (d > 1e-12 || d < -1e-12) exit 1 }' || fail "Hz and rad/s differ"

# A unit that only the drive has, and one of the range alone.
model "1.5 Hz" 1.5 2.5
"$judder" follow m.yaml > f.txt || fail "follow failed"
grep -q 'from 1.5 to 2.5 Hz' f.txt || fail "the unit of the drive is not taken"
model "10 rad/s" "90 rpm" "150 rpm"
"$judder" follow m.yaml > f.txt || fail "follow failed"
grep -q 'from 90 to 150 rpm' f.txt || fail "rpm are not printed"
exit $failed
