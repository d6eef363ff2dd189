#!/bin/sh
# bits.sh SOURCE JUDDER [OTHER | --valgrind] -- the same bits, whatever computes them: hashes of 34 results (gallery models and random ones, every engine and analysis).
#   One command: 1, 2 and 8 threads. OTHER, a command of another compiler or without AVX2: the same hashes.
#   --valgrind: which of them are the same on valgrind's processor, both with OpenBLAS's loops for Haswell, which it knows; by hand, minutes.
#   Hashed is what --json prints, with 17 digits, but for the seconds it took. What the libraries below choose by the processor: docs/decisions/0023-same-bits.md.
source=$1 judder=$2 other=$3
[ -x "$judder" ] && [ -d "$source/gallery" ] || { echo "usage: bits.sh SOURCE JUDDER [OTHER | --valgrind]"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

random_models() { # chains with friction and a stop, from a fixed seed
    awk -v folder="$work" 'BEGIN { srand(5); for (i = 1; i <= 8; i++) { file = folder "/random" i ".yaml"
        n = 2 + int(4 * rand())
        printf "judder: 1\nstructure: {type: chain, count: %d, mass: %.3f, stiffness: %.3f, damping: {type: %s}, ", n, 0.5 + rand(), 1 + 4 * rand(),
            rand() < 0.5 ? "ratio, value: " 0.1 * rand() : "rayleigh, mass: " 0.2 * rand() ", stiffness: " 0.3 * rand() > file
        printf "supports: {left: fixed, right: free}, points: {one: {node: 1}, end: {node: %d}}}\ncontacts:\n", n > file
        printf "  rub: {at: one, against: {velocity: %.3f}, law: {type: %s}}\n", rand() - 0.5,
            rand() < 0.5 ? "coulomb, limit: 0.3, static_limit: 0.4" : "affine, limit: 0.3, slope: " 0.4 * rand() - 0.1 > file
        printf "  knock: {at: end, against: ground, law: {type: stop, gap: %.3f, restitution: %.3f}}\n", 0.2 + rand(), rand() > file
        printf "drives: {h: {at: end, type: harmonic, amplitude: %.3f, frequency: %.3f}}\n", 0.5 + rand(), 0.4 + 2 * rand() > file
        printf "simulate: {until: 60}\noutput: {every: 0.5, points: [one, end]}\n" > file
        close(file) } }'
}

# One word, then a command each; %s stands for the gallery, %r for the folder of random models.
cases() {
    cat << 'END'
block run %s/belt-block/block.yaml
ball run %s/bouncing-ball/ball.yaml
sound run %s/bowed-string/sound.yaml --set simulate.until=0.2
string run %s/bowed-string/string.yaml
blade run %s/blade/blade.yaml
blade-modes modes %s/blade/blade.yaml
falling run %s/friction-beam/falling.yaml
rayleigh run %s/friction-beam/rayleigh.yaml
critical run %s/friction-beam/rayleigh.yaml --set structure.elements=40 --set simulate.until=5
resonance run %s/friction-beam/resonance.yaml
two-elements run %s/friction-beam/two-elements.yaml
undamped run %s/friction-beam/undamped.yaml
oscillator run %s/friction-oscillator/alpha05.yaml
formulas run %s/friction-oscillator/formulas.yaml
chain run %s/impact-chain/n5.yaml
forced run %s/impact-oscillator/forced.yaml
stretched run %s/nonlinear-string/response.yaml
fold run %s/two-fold/through.yaml
rods run %s/two-rods/pulse.yaml
rods-20 run %s/two-rods/harmonic20.yaml
orbit orbit %s/friction-beam/rayleigh.yaml
starts orbit %s/impact-oscillator/forced.yaml --starts 6
branch follow %s/impact-oscillator/response.yaml
families nsm %s/impact-chain/n5.yaml
map sweep %s/friction-beam/map.yaml --set sweep.points=[3,3]
kernel kernel %s/bowed-string/string.yaml
random-1 run %r/random1.yaml
random-2 run %r/random2.yaml
random-3 run %r/random3.yaml
random-4 run %r/random4.yaml
random-5 run %r/random5.yaml
random-6 run %r/random6.yaml
random-7 run %r/random7.yaml
random-8 run %r/random8.yaml
END
}

takes_threads() { case $1 in orbit | sweep | nsm | follow) return 0 ;; esac; return 1; }

# hashes WAY THREADS PREFIX... -- runs all cases (with THREADS = "": as they are; else only those that take --threads) into WAY/NAME and WAY.list.
hashes() {
    way=$1 threads=$2
    shift 2
    mkdir "$work/$way"
    while read -r name verb rest; do
        [ -z "$threads" ] || takes_threads "$verb" || continue
        arguments=$(printf '%s' "$rest" | sed "s|%s|$source/gallery|g; s|%r|$work|g")
        # shellcheck disable=SC2086
        "$@" "$verb" $arguments --json --quiet ${threads:+--threads $threads} 2> "$work/$way.err" < /dev/null |
            grep -v '"cpu_seconds"\|"threads"' > "$work/$way/$name"
        [ "$(wc -c < "$work/$way/$name")" -gt 100 ] || { echo "FAILED: $way: $verb $arguments: $(cat "$work/$way.err" "$work/$way/$name")"; failed=$((failed + 1)); }
    done < "$work/cases"
    (cd "$work/$way" && sha256sum -- *) > "$work/$way.list"
}

agree() { # WAY: its hashes are those of the first way
    n=0
    while read -r hash name; do
        n=$((n + 1))
        grep -q "^$hash  $name\$" "$work/first.list" && continue
        failed=$((failed + 1)) n=$((n - 1))
        echo "FAILED: $name is not the same $2:"
        diff "$work/first/$name" "$work/$1/$name" | head -6
    done < "$work/$1.list"
    echo "$n results the same $2"
}

random_models
cases > "$work/cases"
if [ "$other" = --valgrind ]; then
    OPENBLAS_CORETYPE=Haswell && export OPENBLAS_CORETYPE
    hashes first "" "$judder"
    hashes valgrind "" valgrind --tool=none -q "$judder"
    agree valgrind "under valgrind"
    exit $failed
fi
if [ -n "$other" ]; then # both at a time
    { hashes other "" "$other"; exit $failed; } & pid=$!
    hashes first "" "$judder"
    wait $pid || failed=$((failed + 1))
    agree other "from $other"
else
    hashes first "" "$judder"
    for n in 1 2 8; do
        hashes "threads-$n" "$n" "$judder"
        agree "threads-$n" "with $n threads"
    done
fi
[ "$(wc -l < "$work/first.list")" -ge 30 ] || { echo "FAILED: fewer than 30 results"; failed=$((failed + 1)); }
exit $failed
