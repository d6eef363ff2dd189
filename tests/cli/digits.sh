#!/bin/sh
# digits.sh JUDDER SOURCE -- tables of `follow` print right digits only, whatever the phase of the drive.
#   Special points whose place is known, as printed: off by one unit of their last digit at most, with nine digits or more.
judder=$1 source=$2
[ -x "$judder" ] && [ -d "$source/gallery" ] || { echo "usage: digits.sh JUDDER SOURCE"; exit 1; }
failed=0
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT

check() { # KIND, PLACES from FILE: the k-th special point of this kind lies at the k-th place
    awk -v kind="$1" -v places="$2" -v name="$3" '
        BEGIN { n = split(places, place, " ") }
        /^special points/ { on = 1 } /^end/ { on = 0 }
        on && $1 ~ "^" kind ",?$" {
            value = $2 == "fold" ? $3 : $2; k++
            if (k > n) next
            at = index(value, "."); digits = length(value) - (at > 0) - (value ~ /^0\./)
            unit = at ? 10 ^ -(length(value) - at) : 1
            unit = 1.001 * unit + 0.5 * 10 ^ -(length(place[k]) - index(place[k], ".")) # the place has digits, too
            if (value - place[k] > unit || place[k] - value > unit || digits < 9) {
                print name ": " kind " printed as " value ", is " place[k]; bad = 1 }
        }
        END { if (k < n) { print name ": " k + 0 " of " n " points " kind; bad = 1 } exit bad }' "$dir/out" || failed=1
}

for phase in 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6; do
    "$judder" follow "$source/gallery/impact-oscillator/response.yaml" --set drives.force.phase=$phase > "$dir/out" || failed=1
    check fold 1.731665477010 "response, phase $phase"
    check grazing 1.224744871392 "response, phase $phase"
done

model() { # DAMPING LAW FROM TO
    cat > "$dir/m.yaml" << EOF
judder: 1
structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, damping: {type: ratio, value: $1}, supports: {left: fixed, right: free}}
contacts: {stop: {at: m, against: ground, law: {type: stop, $2, restitution: 0.7}}}
drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: $3}}
start: {type: state, displacement: [-0.2], velocity: [0]}
orbit: {settle: 300 periods}
follow: {parameter: drives.force.frequency, from: $3, to: $4, measure: stop.velocity.amplitude}
EOF
    "$judder" follow "$dir/m.yaml" > "$dir/out" || failed=1
}
model 0.02 "gap: 0" 2 5
check flip 2.6578915384 "stop without gap"
model 0.02 "gap: 0" 1.4 0.9
check flip "1.2379819896 1.0321337222" "stop without gap"
model 0.05 "gap: 0.5, sides: both" 2 1
check branch-point "1.4742231209 1.0765045473" "two stops"
model 0.05 "gap: 0.5, sides: both" 2 5
check fold 4.0225286521 "two stops"
exit $failed
