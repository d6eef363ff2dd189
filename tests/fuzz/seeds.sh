#!/bin/sh
# seeds.sh JUDDER GALLERY FOLDER -- one small result of every kind, as FOLDER/*.h5, and small measured responses, as FOLDER-frf/*.csv: what the fuzz targets damage.
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
make shard sweep "$gallery/friction-beam/map.yaml" --set 'sweep.points=[3, 2]' --shard 2/3
make sample sweep "$gallery/friction-beam/rayleigh.yaml" --set 'sweep={sample: {points: 4, parameters: {contacts.tip.law.limit: {uniform: [0.3 N, 0.9 N]}}}, samples: 2}'
make bands sweep "$gallery/friction-beam/rayleigh.yaml" \
    --set 'sweep={sample: {points: 3, parameters: {contacts.tip.law.limit: {uniform: [0.3 N, 0.9 N]}}}, parameters: drives.shaker.amplitude, from: 1 N, to: 2 N, points: 2}'
make basin sweep "$gallery/impact-oscillator/forced.yaml" --set 'start={type: state, displacement: [0.1], velocity: [0]}' \
    --set 'sweep={parameters: [start.displacement.1, start.velocity.1], from: [-1, -1], to: [0.2, 1], points: [2, 2], samples: 2}'
make drawn sweep "$gallery/friction-beam/rayleigh.yaml" --shard 1/2 \
    --set 'sweep={sample: {points: 2, parameters: {contacts.tip.law.limit: {uniform: [0.3 N, 0.9 N]}}}, parameters: drives.shaker.amplitude, from: 1 N, to: 2 N, points: 2, samples: 1}'
make begun sweep "$gallery/impact-oscillator/forced.yaml" --shard 1/1 --set 'start={type: state, displacement: [0.1], velocity: [0]}' \
    --set 'sweep={parameters: [start.displacement.1, start.velocity.1], from: [-1, -1], to: [0.2, 1], points: [2, 2], samples: 2}'
make follow follow "$gallery/coulomb-oscillator/response.yaml" --set follow.from=0.5 --set follow.to=0.7
make curve follow "$gallery/impact-oscillator/fold-curve.yaml"
make beside follow "$gallery/nonlinear-string/response.yaml" --set follow.to=1 --beside 'two: structure.modes=2'
make converge converge "$gallery/two-rods/harmonic20.yaml" --over simulate.nodes=16,28 --set simulate.until='0.02 s' --set bodies.sleeve.modes=4
printf 'contacts.tip.law.limit,drives.shaker.amplitude\n0.3,\n0.5,2 N\n-1,\n' > "$folder/cases"
make batch batch "$gallery/friction-beam/rayleigh.yaml" --table "$folder/cases" --set simulate.until='2 periods'
rm -f "$folder/cases"
make kernel kernel "$gallery/cantilever/tip.yaml"
make resolved kernel "$gallery/nonlinear-string/kernel.yaml"
make modes modes "$gallery/friction-beam/rayleigh.yaml"
make bodies modes "$gallery/two-rods/harmonic20.yaml" --count 3
make nsm nsm "$gallery/impact-chain/n5.yaml" --set nsm.omega='[1.4, 1.7]' --set nsm.sustained=true
make families nsm "$gallery/impact-chain/n5.yaml" --set nsm.omega='[1.4, 1.6]' --set nsm.impacts=2
make orbits nsm "$gallery/impact-chain/n5.yaml" --orbit 1:1.5,1:1.55
rm -f "$folder/err"
# responses NAME FREQUENCIES PAIR...: of three modes, as an accelerance over Hz; the pairs are numbers of points, `11` or `21`.
responses() {
    name=$1 count=$2; shift 2
    awk -v n="$count" -v pairs="$*" 'function shape(i, k) { return sin(i * k) }
        BEGIN {
            m = split(pairs, pair, " ")
            printf "frequency"
            for (p = 1; p <= m; p++) { i = substr(pair[p], 1, 1); j = substr(pair[p], 2, 1); printf ",p%s/p%s.re,p%s/p%s.im", i, j, i, j }
            print ""
            for (k = 1; k <= n; k++) {
                f = 60.0 * k / n; w = 6.283185307 * f
                printf "%.5g", f
                for (p = 1; p <= m; p++) {
                    re = im = 0
                    for (q = 1; q <= 3; q++) { # -w^2 phi_i phi_j/(w_q^2 - w^2 + i c w)
                        a = (80 * q) ^ 2 - w * w; b = 8 * q * w; s = -w * w * shape(substr(pair[p], 1, 1), q) * shape(substr(pair[p], 2, 1), q) / (a * a + b * b)
                        re += s * a; im -= s * b
                    }
                    printf ",%.5g,%.5g", re, im
                }
                print ""
            }
        }' > "$folder-frf/$name.csv"
}
rm -rf "$folder-frf" && mkdir -p "$folder-frf" || exit 1
responses one 12 11
responses two 10 11 21
responses square 9 11 12 21 22
responses fewest 8 11
responses many 40 11 21 31
exit $failed
