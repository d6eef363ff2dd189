#!/bin/sh
# plot.sh JUDDER GALLERY -- a result file is drawn as the command that made it draws: the plotted numbers are the same.
judder=$1 gallery=$2
[ -x "$judder" ] && [ -d "$gallery" ] || { echo "usage: plot.sh JUDDER GALLERY"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }

# same VERB MODEL [OPTIONS...]: --plot FILE.csv and plot --csv FILE.csv give the same bytes.
same() {
    "$judder" "$@" --force -q -o result.h5 --plot a.csv > out 2>&1 || complain "judder $*: $(cat out)"
    "$judder" plot --force result.h5 --csv b.csv > out 2>&1 || complain "judder plot of $1: $(cat out)"
    [ "$(wc -l < a.csv)" -gt 10 ] && cmp a.csv b.csv || complain "judder $*: other numbers from the file"
}
# refuse PATTERN ARGUMENTS...: of the result file made last.
refuse() {
    pattern=$1; shift
    "$judder" plot --force result.h5 "$@" > out 2> err && complain "plot $*: accepted"
    grep -q -- "$pattern" err || complain "plot $*: no '$pattern' in: $(cat err)"
}

# Runs and orbits keep the stretch that is drawn: both walls of a stop, limits of every law, fields along a contact.
same run "$gallery/impact-oscillator/forced.yaml" --set simulate.until=40
same run "$gallery/impact-oscillator/forced.yaml" --set simulate.until=40 --set contacts.stop.law.sides=both
grep -q ',stop,' a.csv || complain "run: no stop in its picture"
same run "$gallery/friction-beam/rayleigh.yaml" --set simulate.until='6 periods'
same run "$gallery/bowed-string/string.yaml" --set simulate.until=3
same run "$gallery/two-rods/harmonic20.yaml" --set simulate='{engine: wave, nodes: 16, until: 0.02 s}' --set bodies.sleeve.modes=4
same orbit "$gallery/impact-oscillator/forced.yaml"
same orbit "$gallery/friction-beam/rayleigh.yaml"
same nsm "$gallery/impact-chain/n5.yaml" --set nsm.omega='[1.4, 1.7]' --set nsm.sustained=true
same nsm "$gallery/impact-chain/n5.yaml" --orbit 1:1.5,1:1.55
same modes "$gallery/friction-beam/rayleigh.yaml"
same sweep "$gallery/impact-oscillator/hysteresis.yaml" --set sweep.points=7
same sweep "$gallery/friction-beam/map.yaml" --set 'sweep.points=[4, 3]'
refuse '`energy` is no picture of a result of kind `sweep`' --csv c.csv --picture energy
refuse 'no time for a window' --csv c.csv --window 0:1
refuse 'FILE.csv here, not `c.png`' --csv c.png
refuse 'where to' -q
same follow "$gallery/coulomb-oscillator/response.yaml"
refuse '`multipliers` is no picture' --csv c.csv --picture multipliers
same follow "$gallery/impact-oscillator/response.yaml"
same follow "$gallery/nonlinear-string/response.yaml" --beside 'two: structure.modes=2' --beside 'none: structure.wave_term=none; structure.modes=2'
same converge "$gallery/two-rods/harmonic20.yaml" --over simulate.nodes=16,28,40 --over bodies.sleeve.modes=4,5
printf 'contacts.tip.law.limit\n0.1\n0.2\n0.3\n0.4\n0.5\n0.6\n' > cases.csv
same batch "$gallery/friction-beam/rayleigh.yaml" --table cases.csv --set simulate.until='6 periods'
same kernel "$gallery/cantilever/tip.yaml"
same kernel "$gallery/bowed-string/string.yaml"
same kernel "$gallery/nonlinear-string/kernel.yaml"

# A file written without a picture keeps fewer orbits of each branch; with one, those that are drawn.
"$judder" nsm --force "$gallery/impact-chain/n5.yaml" --set nsm.impacts=2 --set nsm.sustained=true -q -o result.h5 --plot a.csv || complain "judder nsm"
"$judder" plot --force result.h5 --csv b.csv -q || complain "plot: nonsmooth modes"
for word in 'linear grazing' 'grazing end' bridge pair 'rests on the stop'; do
    grep ",$word," a.csv > a; grep ",$word," b.csv > b
    [ -s a ] && cmp a b || complain "nsm: $word is other from the file"
done
[ "$(grep -c ',stable,' b.csv)" -gt 100 ] || complain "nsm: stable parts from the file"
# Pictures of single orbits, and what cannot be drawn of them.
for kind in history portrait multipliers; do
    "$judder" nsm --force "$gallery/impact-chain/n5.yaml" --orbit 1:1.5,1:1.55 --picture $kind -q --plot c.csv || complain "nsm: $kind"
    [ "$(wc -l < c.csv)" -gt 20 ] || complain "nsm: $kind is empty"
done
no() { # PATTERN OPTIONS...
    pattern=$1; shift
    "$judder" nsm --force "$gallery/impact-chain/n5.yaml" "$@" --plot c.csv > out 2> err && complain "nsm $*: accepted"
    grep -q -- "$pattern" err || complain "nsm $*: no '$pattern' in: $(cat err)"
}
no 'has no multipliers' --orbit s1 --picture multipliers
no '`energy` is no picture of orbits' --orbit 1 --picture energy
no 'no picture of nonsmooth modes; --orbit has more' --picture portrait
no 'no orbit s9: 7 rest' --orbit s9
no 'or sN, not `1,2`' --orbit 1,2

# Multipliers of an orbit.
"$judder" orbit --force "$gallery/impact-oscillator/forced.yaml" -q -o result.h5 --plot a.csv --picture multipliers ||
    complain "judder orbit --picture multipliers"
"$judder" plot --force result.h5 --csv b.csv --picture multipliers -q && cmp a.csv b.csv || complain "orbit: other multipliers from the file"
"$judder" plot --force result.h5 --csv b.csv -q && grep -q ',stop,' b.csv || complain "orbit: its motion"
refuse '`field` is no picture of a result of kind `orbit`' --csv c.csv --picture field
"$judder" run --force "$gallery/impact-oscillator/forced.yaml" --plot c.csv --picture multipliers > out 2> err && complain "run: multipliers"
grep -q '`multipliers` is no picture of a run' err || complain "run --picture multipliers: $(cat err)"
[ -s out ] && complain "run --picture multipliers is refused only after the run"
[ $failed -eq 0 ] && echo "plot: all as drawn by the commands"
exit $failed
