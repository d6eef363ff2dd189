#!/bin/sh
# pictures.sh JUDDER JSON GALLERY -- every kind of picture of every kind of result file: the plotted numbers (CSV) are those of
#   the result (JSON), and what a file cannot show is refused with a list of what it can.
judder=$1 json=$2 gallery=$3
[ -x "$judder" ] && [ -x "$json" ] && [ -d "$gallery" ] || { echo "usage: pictures.sh JUDDER JSON GALLERY"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 numbers=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }

# make VERB MODEL [OPTIONS...]: its result file, result.h5, and its JSON, out.
make() {
    what="$1 ${2#"$gallery/"}"
    "$judder" "$@" --force -o result.h5 --json > out 2> err || complain "judder $*: $(cat err)"
}
# draw KIND [OPTIONS...]: the numbers of that picture, a.csv.
draw() {
    kind=$1; shift
    rm -f a.csv
    "$judder" plot --force result.h5 --kind "$kind" --csv a.csv -q "$@" 2> err || complain "$what: plot --kind $kind: $(cat err)"
}
# cell PANEL SERIES ROW x|y|z: the number in the row (from 1) of that series.
cell() {
    awk -F, -v p="$1" -v s="$2" -v r="$3" -v c="$4" \
        'BEGIN { n = 0 } $1 == p && $4 == s && ++n == r { print c == "x" ? $5 : c == "y" ? $6 : $7; exit }' a.csv
}
last() { awk -F, -v p="$1" -v s="$2" -v c="$3" '$1 == p && $4 == s && $5 != "" { v = c == "x" ? $5 : $6 } END { print v }' a.csv; }
value() { "$json" "$1" < out; }
# same GOT WANTED [FACTOR [TOLERANCE]]: got = factor wanted, to rounding.
same() {
    numbers=$((numbers + 1))
    awk -v a="$1" -v b="$2" -v f="${3:-1}" -v t="${4:-1e-12}" 'BEGIN { b *= f; d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b
        exit !(a != "" && d <= t * (s > 1e-9 ? s : 1e-9)) }' || complain "$what, $kind: $1 is not ${3:-1} times $2"
}
axes() { grep -q "^[0-9]*,$1,$2," a.csv || complain "$what, $kind: no panel $1, $2 but $(cut -d, -f1-3 a.csv | sort -u | tr '\n' ';')"; }

# Of a model file: modes; shapes are sines of the string: 1 where a whole number of quarter waves fits.
make modes "$gallery/friction-beam/rayleigh.yaml"
draw page
axes number 'angular frequency \[rad/s\]'
same "$(cell 1 free 3 y)" "$(value modes.2.omega)"
same "$(cell 1 'tip stuck' 1 y)" "$(value stuck.tip.0.omega)"
same "$(cell 2 '' 3 x)" "$(value modes.2.omega)"
same "$(cell 2 '' 3 y)" "$(value modes.2.damping_ratio)"
make modes "$gallery/bowed-string/string.yaml"
draw shapes
same "$(cell 1 'mode 1' 61 y)" 1
same "$(cell 1 'mode 2' 31 y)" 1
same "$(cell 1 'mode 2' 11 y)" 0.5
same "$(cell 1 'mode 3' 21 y)" 1
make modes "$gallery/impact-chain/n5.yaml" # (2 sin(j (2k-1) pi/11)) by mass j
draw shapes
same "$(cell 1 'mode 1' 1 y)" 0.284629676546570 1 1e-12
same "$(cell 1 'mode 1' 5 y)" 1

# Kernels: G and L1 at a time.
make kernel "$gallery/bowed-string/string.yaml"
draw page
same "$(cell 1 '' 40 x)" "$(value tau.39)"
same "$(cell 1 '' 40 y)" "$(value G.39)"
same "$(cell 2 '' 40 y)" "$(value L1.39)"

# A run: samples in micrometres, millimetres per second, newtons and millijoules.
make run "$gallery/friction-beam/rayleigh.yaml" --horizon --set 'simulate.until=4 periods'
draw history
axes 'time \[s\]' 'displacement \[µm\]'
same "$(cell 1 tip 100 x)" "$(value samples/t/99)"
same "$(cell 1 tip 100 y)" "$(value samples/tip.u/99)" 1e6
same "$(cell 1 mid 100 y)" "$(value samples/mid.u/99)" 1e6
same "$(cell 2 tip 700 y)" "$(value samples/tip.v/699)" 1e3
[ "$(grep -c '^2,.*,event,' a.csv)" -eq "$(value events.total)" ] || complain "$what: not every event is marked"
draw force
same "$(cell 1 tip 100 y)" "$(value samples/tip.force/99)"
draw portrait --window 0.1:0.2
axes 'displacement at tip \[µm\]' 'relative velocity \[mm/s\]'
draw hysteresis
axes 'displacement at tip \[µm\]' 'contact force \[N\]'
force=$(awk -F, 'NR > 1 && $6 != "" && $5 !~ /inf/ { y = $6 < 0 ? -$6 : $6; if (y > m) m = y } END { print m }' a.csv)
same "$force" "$(value contacts.tip.limits.sliding)"
draw status
share=$(awk -F, 'NR > 1 { all++; if ($7 == 1) n++ } END { print n/all }' a.csv)
stuck=$(awk -v a="$(value phases.0.time)" -v b="$(value phases.1.time)" -v c="$(value phases.2.time)" 'BEGIN { print a/(a + b + c) }')
awk -v a="$share" -v b="$stuck" 'BEGIN { exit !(a > b - 0.01 && a < b + 0.01) }' || complain "$what: stuck $share of the time, not $stuck"
draw energy
same "$(last 1 supplied y)" "$(value energy.work)" 1e3 1e-9
same "$(last 1 'lost in friction' y)" "$(value energy.contacts.tip)" 1e3 1e-9
draw horizon
same "$(last 1 'change of the start' y)" "$(value horizon.log_growth)" 0.43429448190325176
draw page

# A contact along a length: the field at its last time, and the sliding velocity there.
make run "$gallery/two-rods/pulse.yaml" --set output.field.every=5ms --set output.every=5ms
draw field
axes 'time \[s\]' 'place on pile \[m\]'
tip=$(awk -F, '$1 == 1 && $5 == 1 && $6 == 50 { print $7 }' a.csv)
same "$tip" "$(value final_state/points/pile.tip/displacement)" 1e6 1e-9
state=$(awk -F, '$1 == 2 && $5 == 0.050000000000000003 { n++; s += $7 < 0 ? -$7 : $7 } END { print n, s }' a.csv)
[ "${state% *}" -gt 100 ] && [ "${state#* }" -gt 0 ] || complain "$what: no cell slides at 0.05 s: $state"
draw page
[ "$(cut -d, -f1 a.csv | sort -u | wc -l)" -eq 3 ] || complain "$what: its page is the field"
draw slip
axes 'time \[s\]' 'sliding velocity \[mm/s\]'
same "$(cell 1 pile.tip 12 y)" 25 1 1e-4 # 2 (P - 25 m 0.6 kN/m / 2)/(1 t/m 1000 m/s), the sleeve gives way by 1e-4 of it
draw energy
same "$(last 1 supplied y)" "$(value energy.work)" 1 1e-9

# Orbits: motion, multipliers, energies; several of them.
make orbit "$gallery/friction-beam/rayleigh.yaml"
draw multipliers
same "$(cell 1 'dies out' 1 x)" "$(value multipliers.0.0)"
same "$(cell 1 'dies out' 1 y)" "$(value multipliers.0.1)"
draw history
same "$(cell 1 tip 50 y)" "$(value samples/tip.u/49)" 1e6
draw energy
same "$(last 1 supplied y)" "$(value energies/supplied/200)" 1e6
make orbit "$gallery/friction-beam/falling.yaml" --starts 6
draw page
same "$(cell 1 '' 1 y)" "$(value attractors.0.share)" 100
same "$(cell 2 '' 3 y)" "$(value attractors.0.largest_multiplier)" # after the two ends of the unit circle's level
same "$(cell 3 tip 2 y)" "$(value attractors.0.contacts.tip.displacement.max)" 1e6

# Sweeps, branches, convergence: parameters with their units.
make sweep "$gallery/friction-beam/map.yaml" --set 'sweep.points=[3, 2]'
draw page
axes 'frequency of shaker over a natural one \[–\]' 'limit of tip \[N\]'
same "$(awk -F, '$1 == 1 { print $7; exit }' a.csv)" "$(value points.0.amplitude)" 1e6
make follow "$gallery/impact-oscillator/response.yaml"
draw page
same "$(cell 1 stable 1 x)" "$(value branch.0.parameter)"
same "$(cell 1 stable 1 y)" "$(value branch.0.amplitude)"
same "$(cell 1 fold 1 x)" "$(value special.0.parameter)"
make converge "$gallery/two-rods/harmonic20.yaml" --over simulate.nodes=16,28,40 --over 'contacts.shaft.law.limit=0.5,0.6'
draw page
axes 'nodes \[–\]' ratio
axes 'limit of shaft \[N/m\]' ''
same "$(awk -F, '$1 == 1 && $4 == "" && $5 == 16 { print $6; exit }' a.csv)" "$(value studies.0.points.0.ratio)"

# Nonsmooth modes: where branches begin; orbits in the plane, over the period and in space.
make nsm "$gallery/impact-chain/n5.yaml"
draw page
same "$(awk -F, '$4 == "linear grazing" { print $6 }' a.csv | sort -g | head -1)" "$(value branches.16.omega_start)"
make nsm "$gallery/impact-chain/n5.yaml" --orbit 1:1.5
draw portrait
same "$(cell 1 "$(awk -F, 'NR == 2 { print $4 }' a.csv)" 101 x)" "$(value orbits/0/end.u/100)"
same "$(cell 2 "$(awk -F, 'NR == 2 { print $4 }' a.csv)" 101 y)" "$(value orbits/0/mass4.v/100)"
draw history
same "$(cell 1 "$(awk -F, 'NR == 2 { print $4 }' a.csv)" 101 x)" 0.25
same "$(cell 1 "$(awk -F, 'NR == 2 { print $4 }' a.csv)" 101 y)" "$(value orbits/0/end.u/100)"
draw manifold
[ "$(grep -c 'stable,' a.csv)" -eq 402 ] || complain "$what: 401 samples and back to the first, not $(grep -c 'stable,' a.csv)"
draw page

# The very same numbers with --plot on the commands that make them.
for words in "modes friction-beam/rayleigh.yaml" "modes impact-chain/n5.yaml --kind shapes" "nsm impact-chain/n5.yaml --orbit 1" \
    "orbit friction-beam/falling.yaml --starts 3"; do
    eval "set -- $words"
    verb=$1 model=$2; shift 2
    "$judder" "$verb" "$gallery/$model" "$@" --force -q -o result.h5 --plot b.csv 2> err || complain "$words --plot: $(cat err)"
    [ "${1:-}" = --kind ] || set -- --kind page
    "$judder" plot --force result.h5 --csv a.csv -q "$1" "$2" && cmp -s a.csv b.csv || complain "$words: other numbers from the file"
done

# What a file cannot show: a name, and a list of what it can.
refuse() { # KIND WORDS...
    kind=$1; shift
    "$judder" plot --force result.h5 --kind "$kind" --csv a.csv > /dev/null 2> err && complain "$what: --kind $kind is accepted"
    for word in "$@"; do grep -q -- "$word" err || complain "$what: --kind $kind: no '$word' in: $(cat err)"; done
}
make run "$gallery/friction-beam/rayleigh.yaml" --set 'simulate.until=2 periods'
refuse field 'does not keep' 'output: {field' 'this file can show: page, history, portrait, force, hysteresis, status, energy, spectrum, waterfall, poincare$'
refuse horizon 'does not keep' 'run --horizon'
refuse shapes 'no picture of a result of kind `run`'
refuse energi 'there is no picture `energi`' 'did you mean `energy`' 'manifold'
make kernel "$gallery/bowed-string/string.yaml"
for k in history portrait force hysteresis status energy field slip horizon shapes manifold multipliers; do refuse $k 'this file can show: page$'; done
"$judder" kernel --force "$gallery/bowed-string/string.yaml" --plot a.csv --picture energy > /dev/null 2> err && complain "kernel --picture energy"
grep -q 'no picture of kernels' err && grep -q 'these are: page$' err || complain "kernel --picture energy: $(cat err)"
"$judder" orbit --force "$gallery/friction-beam/rayleigh.yaml" --plot a.csv --picture slip > /dev/null 2> err && complain "orbit --picture slip"
grep -q 'no picture of an orbit' err || complain "orbit --picture slip: $(cat err)"
# A run through a two-fold with its critical manifold, also from its file; a curve of one's own over a picture.
"$judder" run --force "$gallery/two-fold/through.yaml" --picture manifold --plot a.csv -o result.h5 -q || complain "two-fold: no manifold"
"$judder" plot --force result.h5 --picture manifold --csv b.csv -q && cmp -s a.csv b.csv || complain "two-fold: other numbers from the file"
grep -q 'critical manifold: saddle' a.csv || complain "two-fold: no critical manifold"
printf 'frequency,measured\n1,0.5\n\n2,0.25\n' > own.csv
"$judder" orbit --force "$gallery/friction-beam/rayleigh.yaml" --overlay own.csv --plot a.csv -q && grep -q ',measured,2,0.25' a.csv ||
    complain "--overlay: not drawn"
for bad in '1,x' '1' '' '1,2,3'; do
    printf '%s\n' "$bad" > own.csv
    "$judder" orbit --force "$gallery/friction-beam/rayleigh.yaml" --overlay own.csv --plot a.csv -q > out 2>&1 && complain "--overlay takes '$bad'"
    grep -q 'own.csv' out || complain "--overlay: the file is not named: $(cat out)"
done
echo "pictures: $numbers numbers, $failed failed"
exit $failed
