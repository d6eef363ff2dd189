#!/bin/sh
# names.sh JUDDER JSON -- titles, names and paths that mean something to a shell, to gnuplot, to XML, to a terminal: shown, never obeyed.
judder=$1 json=$2
[ -x "$judder" ] && [ -x "$json" ] || { echo "usage: names.sh JUDDER JSON"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }
# plain FILE: newlines are the only control characters, and no C1, override of direction or separator of lines.
plain() {
    [ "$(tr -d '\n' < "$1" | LC_ALL=C tr -cd '\000-\037\177' | wc -c)" -eq 0 ] || complain "$2: control characters"
    LC_ALL=C grep -q "$(printf '\302[\200-\237]\|\342\200[\250-\256]\|\342\201[\246-\251]')" "$1" && complain "$2: hidden controls"
    return 0
}
# xml FILE: no character XML forbids, and every < opens or closes something.
xml() {
    tr '\n\t' '  ' < "$1" > flat
    plain flat "$1"
    grep -q '</svg> *$' flat || complain "$1: no end"
    sed 's/<[^<>]*>//g' flat | grep -q '<\|]]>' && complain "$1: stray angle brackets"
    sed 's/&\(amp\|lt\|gt\|quot\|apos\|#[0-9a-zA-Z]*\);//g' flat | grep -q '&' && complain "$1: stray &"
    return 0
}
# model TITLE POINT: in double quotes of YAML.
model() {
    cat << END
judder: 1
title: "$1"
structure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {"$2": {node: 2}},
  supports: {left: fixed, right: free}, damping: {type: ratio, value: 0.01}}
contacts: {"c$2": {at: "$2", against: ground, law: {type: coulomb, limit: 0.1}}}
drives: {"d$2": {at: "$2", type: harmonic, amplitude: 1, frequency: 0.9}}
simulate: {until: 20}
output: {every: 0.5, points: ["$2"]}
sweep: {parameters: structure.damping.value, from: 0.01, to: 0.02, points: 2}
follow: {parameter: structure.damping.value, from: 0.01, to: 0.011}
END
}
# stop TITLE POINT: for the verb that wants one elastic stop and no losses.
stop() {
    cat << END
judder: 1
title: "$1"
structure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {"$2": {node: 2}}, supports: {left: fixed, right: free}, damping: none}
contacts: {"c$2": {at: "$2", against: ground, law: {type: stop, gap: 1, restitution: 1}}}
nsm: {omega: [0.7, 0.8]}
END
}
# string TITLE POINT: one that has a kernel.
string() {
    cat << END
judder: 1
title: "$1"
structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: 5, points: {"$2": 0.4}, damping: {type: ratio, value: 0.1}}
contacts: {"c$2": {at: "$2", against: {velocity: 1}, law: {type: coulomb, limit: 1}}}
simulate: {until: 1}
END
}
# shows NAME MODEL VERB...: for people and as JSON.
shows() {
    name=$1 file=$2 verb=$3
    shift 3
    "$judder" "$verb" "$file" "$@" > out 2> err
    [ $? -le 1 ] || complain "$name: $verb: $(cat err)"
    plain out "$name: $verb"; plain err "$name: $verb, errors"
    "$judder" "$verb" "$file" "$@" --json 2>&1 | "$json" > /dev/null || complain "$name: $verb --json"
}
# try NAME TITLE POINT: every way out of the command.
try() {
    model "$2" "$3" > m.yaml
    stop "$2" "$3" > s.yaml; string "$2" "$3" > k.yaml
    for verb in check modes run orbit sweep follow; do shows "$1" m.yaml $verb; done
    shows "$1" m.yaml converge --over structure.count=2,3
    shows "$1" s.yaml nsm; shows "$1" k.yaml kernel
    "$judder" sweep --force m.yaml -q -o w.h5 --plot w.svg 2> err && "$judder" plot --force w.h5 -o v.svg -q && xml w.svg && xml v.svg || complain "$1: picture of a sweep: $(cat err)"
    "$judder" kernel --force k.yaml -q --plot k.svg 2> err && xml k.svg || complain "$1: picture of a kernel: $(cat err)"
    "$judder" run --force m.yaml -q -o m.h5 --csv m.csv --events m.ev --plot m.svg 2> err || complain "$1: files: $(cat err)"
    xml m.svg
    "$judder" plot --force m.h5 -o p.svg -q && xml p.svg || complain "$1: plot"
    "$judder" info m.h5 > out && plain out "$1: info" || complain "$1: info"
    "$judder" info m.h5 --json | "$json" title > /dev/null || complain "$1: info --json"
    "$judder" compare m.h5 m.h5 -q || complain "$1: compare"
    [ -e pwned ] && { complain "$1: EXECUTED"; rm -f pwned; }
}
long=$(head -c 100000 /dev/zero | tr '\0' 'x')
try shell '`touch pwned` $(touch pwned) ; touch pwned | & \\ %s%n' '`touch${IFS}pwned`$(touch${IFS}pwned)'
try quotes "it's \\\"quoted\\\" ''" "'\\\"''"
try gnuplot "'.system('touch pwned').' \\n!touch pwned\\nsystem 'touch pwned'" "\\\"+system('touch')"
try xml '<script>&amp;</text>]]>' '<&>'
try controls 'a\e[2J\e]0;x\a b\nsecond\r\x7f\x9b31m c' tip
try directions 'a\u202ebc\u2066d\u2028e\u200f \u05d0\u05d1\u05d2 \ufffe \uffff' '\u05d0\u05d1'
try long "$long" "$(head -c 99 /dev/zero | tr '\0' 'n')"
# Names that would command are refused where they stand, and the refusal shows them.
for point in 'a\e[31m' 'a\nb' 'a\u202eb' 'a\x9b' 'a\x7f' "$long"; do
    model title "$point" > m.yaml
    "$judder" run m.yaml > out 2> err
    [ $? -eq 2 ] && grep -q 'm.yaml:3:.*cannot be a name\|m.yaml:3:.*not valid YAML' err || complain "a point named like that: $(head -c 300 err)"
    plain err "a point named like that"
done
# Paths.
model plain tip > m.yaml
odd=$(printf 'a\033[2J`touch pwned`$(touch pwned)'"'"'"\n\342\200\256 b')
mkdir "$odd" && cp m.yaml "$odd/m.yaml" || exit 1
TMPDIR="$work/$odd" "$judder" run --force "$odd/m.yaml" -o "$odd/m.h5" --plot "$odd/m.svg" > out 2> err || complain "odd paths: $(cat err)"
xml "$odd/m.svg"; plain err 'odd paths'; plain out 'odd paths'
"$judder" info "$odd/m.h5" > out || complain "info of an odd path"
plain out 'info of an odd path'
"$judder" info "$odd/none.h5" > out 2> err
[ $? -eq 3 ] || complain "an odd path that is none"
plain err 'an odd path that is none'
"$judder" info "$odd/none.h5" --json | "$json" error.name > /dev/null || complain "an odd path that is none, --json"
"$judder" run m.yaml --set "$odd=1" > out 2> err
[ $? -eq 2 ] || complain "an odd --set"
plain err 'an odd --set'
for verb in new list check modes reduce kernel nsm run orbit sweep follow converge batch plot info compare; do # as an argument of every verb
    "$judder" $verb "$odd" "$odd" > out 2> err
    [ $? -ge 2 ] || complain "$verb of an odd name"
    plain out "$verb of an odd name"; plain err "$verb of an odd name"
    "$judder" $verb "$odd" > out 2> err
    [ $? -ge 2 ] || complain "$verb of an odd name"
    plain out "$verb of an odd name"; plain err "$verb of an odd name"
done
"$judder" "$odd" > out 2> err
[ $? -eq 2 ] || complain "an odd verb"
plain err 'an odd verb'
"$judder" run "$long" > out 2> err
[ $? -eq 3 ] || complain "a path of 100000 characters: $?"
"$judder" run --force m.yaml -q -o "$long" > out 2> err
[ $? -eq 3 ] || complain "an output of 100000 characters: $?"
[ -e pwned ] && complain "EXECUTED"
[ $failed -eq 0 ] && echo "names: all shown, none obeyed"
exit $failed
