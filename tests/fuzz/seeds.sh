#!/bin/sh
# seeds.sh JUDDER GALLERY FOLDER -- one small result of every kind, as FOLDER/*.h5: what the fuzz targets damage.
judder=$1 gallery=$2 folder=$3
[ -x "$judder" ] && [ -d "$gallery" ] && [ -n "$folder" ] || { echo "usage: seeds.sh JUDDER GALLERY FOLDER"; exit 1; }
rm -rf "$folder" && mkdir -p "$folder" || exit 1
failed=0
# make NAME VERB MODEL [OPTIONS...]
make() {
    name=$1; shift
    "$judder" "$@" -q -o "$folder/$name.h5" 2> "$folder/err"
    code=$?
    [ $code -le 1 ] && [ -s "$folder/$name.h5" ] || { echo "FAILED ($code): judder $*"; cat "$folder/err"; failed=1; }
}
make run run "$gallery/friction-beam/rayleigh.yaml" --set simulate.until='2 periods' --set output='{per_period: 10}'
make stop run "$gallery/impact-oscillator/forced.yaml" --set simulate.until=12 --set output='{every: 0.5}'
make field run "$gallery/two-rods/harmonic20.yaml" --set simulate='{engine: wave, nodes: 16, until: 0.02 s}' \
    --set output='{every: 2 ms, field: {every: 4 ms}, points: [pile.head, pile.tip]}' --set bodies.sleeve.modes=4
make orbit orbit "$gallery/impact-oscillator/forced.yaml" --set output='{per_period: 10}'
make attractors orbit "$gallery/impact-oscillator/forced.yaml" --starts 3
make line sweep "$gallery/impact-oscillator/hysteresis.yaml" --set sweep.points=3 --set sweep.samples=2
make map sweep "$gallery/friction-beam/map.yaml" --set 'sweep.points=[2, 2]'
make follow follow "$gallery/coulomb-oscillator/response.yaml" --set follow.from=0.5 --set follow.to=0.7
make curve follow "$gallery/impact-oscillator/fold-curve.yaml"
make beside follow "$gallery/nonlinear-string/response.yaml" --set follow.to=1 --beside 'two: structure.modes=2'
make converge converge "$gallery/two-rods/harmonic20.yaml" --over simulate.nodes=16,28 --set simulate.until='0.02 s' --set bodies.sleeve.modes=4
make kernel kernel "$gallery/cantilever/tip.yaml"
make resolved kernel "$gallery/nonlinear-string/kernel.yaml"
make modes modes "$gallery/friction-beam/rayleigh.yaml"
make bodies modes "$gallery/two-rods/harmonic20.yaml" --count 3
make nsm nsm "$gallery/impact-chain/n5.yaml" --set nsm.omega='[1.4, 1.7]' --set nsm.sustained=true
make families nsm "$gallery/impact-chain/n5.yaml" --set nsm.omega='[1.4, 1.6]' --set nsm.impacts=2
make orbits nsm "$gallery/impact-chain/n5.yaml" --orbit 1:1.5,1:1.55
rm -f "$folder/err"
exit $failed
