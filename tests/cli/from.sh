#!/bin/sh
# from.sh JUDDER -- `follow --from FILE:POINT`: points and special points of an earlier branch, and what is refused.
judder=$1
[ -x "$judder" ] || { echo "usage: from.sh JUDDER"; exit 1; }
failed=0
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "$*"; failed=1; }

model() { # FILE LAW FROM TO
    cat > "$1" << EOF2
judder: 1
structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, damping: {type: ratio, value: 0.05}, supports: {left: fixed, right: free}}
contacts: {stop: {at: m, against: ground, law: {type: stop, $2, restitution: 0.7}}}
drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: $3}}
start: {type: state, displacement: [-0.2], velocity: [0]}
orbit: {settle: 300 periods}
follow: {parameter: drives.force.frequency, from: $3, to: $4, measure: stop.velocity.max}
EOF2
}
refused() { # WORDS ARGUMENTS
    words=$1; shift
    "$judder" follow "$@" > out 2>&1 && fail "accepted: $*"
    grep -q "$words" out || { fail "no \`$words\`:"; cat out; }
}

# A point by its number: the same branch from there on.
model one.yaml "gap: 0" 2 5
"$judder" follow --force one.yaml -o one.h5 --csv one.csv > out || { fail "no branch"; cat out; }
"$judder" follow --force one.yaml --from one.h5:3 --csv again.csv > out || { fail "a point is no start"; cat out; }
awk -F, 'NR == 4 { print $1, $2 }' one.csv > a
awk -F, 'NR == 2 { print $1, $2 }' again.csv > b
paste -d' ' a b | awk '{ d = $1 - $3; e = $2 - $4; exit !(d < 1e-12 && d > -1e-12 && e < 1e-9 && e > -1e-9) }' || fail "a branch does not start at its point"

# A flip: the branch of doubled period, with the earlier one beside it.
"$judder" follow --force one.yaml --set follow.points=12 --from one.h5:flip1 -o two.h5 --csv two.csv > out
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "period") c = i } NR == 3 { exit !($c > 4) }' two.csv || fail "the period is not doubled"
awk -F, 'NR == 2 { exit !($1 > 2.6 && $1 < 2.7) }' two.csv || fail "the doubled branch does not start at the flip"
grep -q 'earlier branch' out || fail "the earlier branch is not shown"

# A branch point: both arms.
model sym.yaml "gap: 0.5, sides: both" 2 1
"$judder" follow --force sym.yaml -o sym.h5 > out || fail "no symmetric branch"
"$judder" follow --force sym.yaml --set follow.points=12 --from sym.h5:branch-point1 -o arms.h5 --csv arms.csv > out
grep -q 'other arm' out || fail "the other arm is not shown"
awk -F, 'NR == 2 { exit !($1 > 1.46 && $1 < 1.48) }' arms.csv || fail "the arms do not start at the branch point"

# Measures and functions beside the first are columns; a curve without points of codimension 2 says so.
sed 's/measure: stop.velocity.max/measure: stop.velocity.max, also: [stop.velocity.min], functions: {twice: 2*stop.velocity.max}, points: 4/' sym.yaml > also.yaml
"$judder" follow --force also.yaml --csv also.csv > out
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "twice") t = i; if ($i == "stop.velocity.min") m = i; if ($i == "amplitude") a = i } next }
    { d = $t - 2 * $a; if (!t || !m || d > 1e-14 || d < -1e-14) bad = 1 } END { exit bad || NR != 5 }' also.csv || { fail "columns of measures"; cat also.csv; }
sed 's/measure: stop.velocity.max/measure: stop.velocity.max, curve: branch-point, second: contacts.stop.law.restitution, second_from: 0.7, second_to: 0.71/' sym.yaml > curve.yaml
"$judder" follow --json curve.yaml | grep -q '"special": \[\]' || fail "an empty list of points of codimension 2 is left out"

# From the Hopf point of a steady slip to its cycles.
cat > slip.yaml << EOF2
judder: 1
structure: {type: friction-oscillator, alpha: 0.01, beta: 0.03, wave_term: 0.05, sigma: 50, static_gain: 1}
start: {type: values, y: [0.6, 0.5]}
follow: {of: steady, parameter: structure.alpha, from: 0.01, to: 0.1}
EOF2
"$judder" follow --force slip.yaml -o slip.h5 > out || { fail "no steady slip"; cat out; }
"$judder" follow --force slip.yaml --from slip.h5:hopf1 --csv cycles.csv > out || { fail "no cycles"; cat out; }
awk -F, 'NR == 2 { first = $1 } END { exit !(first > 0.06 && first < 0.061 && $1 > 0.0999 && $1 < 0.1001) }' cycles.csv || fail "cycles do not begin at the Hopf point"
refused 'no orbit' slip.yaml --from slip.h5:3

refused 'not FILE:POINT' sym.yaml --from sym.h5:
refused 'not FILE:POINT' sym.yaml --from sym.h5
refused 'no such point' sym.yaml --from sym.h5:flip1
refused 'no such point' sym.yaml --from sym.h5:0
refused 'no such point' sym.yaml --from sym.h5:1000000
model other.yaml "gap: 0.5, sides: both" 2 1
sed -i 's/stop:/wall:/; s/stop.velocity/wall.velocity/' other.yaml
refused 'another model' other.yaml --from sym.h5:2
refused 'another number' sym.yaml --set follow.parameter=drives.force.amplitude --set follow.to=0.5 --set follow.from=1 --from sym.h5:2
"$judder" orbit --force sym.yaml -o orbit.h5 > /dev/null
refused 'holds no branch' sym.yaml --from orbit.h5:1
exit $failed
