# spread.sh -- for tests of work that is spread over processes and killed: sourced by them; moves to a folder of its own.
# shellcheck shell=sh disable=SC2034,SC2154
failed=0
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "$*"; failed=1; }

grid='parameters: [drives.shaker.frequency.times, contacts.tip.law.limit], from: [0.8, 0.3 N], to: [2.9, 1.4 N]'
model() { # FILE REST-OF-THE-SWEEP
    cat > "$1" << EOF2
judder: 1
structure: {type: fe-beam, length: 2.47 m, bending_stiffness: 1.09e4 N m^2, mass_per_length: 35.4 kg/m, elements: 2,
  supports: {left: clamped, right: free}, points: {mid: 1.235 m, tip: 2.47 m}, damping: {type: rayleigh, mass: 0.025 1/s, stiffness: 5.5e-5 s}}
contacts: {tip: {at: tip, law: {type: coulomb, limit: 0.66 N}}}
drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4 N, frequency: {times: 1.1, mode: 1}}}
start: rest
simulate: {until: ${until:-20 periods}}
sweep: {$grid, samples: 3, $2}
EOF2
}
# A stop that is hit, with several stable orbits: FILE.
knocker() {
    cat > "$1" << 'EOF2'
judder: 1
structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, damping: {type: ratio, value: 0.01}}
contacts: {stop: {at: m, law: {type: stop, gap: 0.4, restitution: 0.9}}}
drives: {shaker: {at: m, type: harmonic, amplitude: 1, frequency: 2.8}}
start: rest
orbit: {settle: 3000}
EOF2
}
# N cases of which one in five is refused.
cases() {
    echo 'contacts.tip.law.limit,drives.shaker.amplitude'
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%s,%.3f\n", i % 5 == 3 ? "-1" : 0.1 + i / n, 1.5 + i % 7 / 4 }'
}

# A whole result as text of 17 digits, without the time it took.
digits() { tr -d ' \n' < "$1" | sed 's/"cpu_seconds":[^,}]*//; s/,}/}/g'; }
same() { # WHAT ONE.json OTHER.json
    digits "$2" > one.txt; digits "$3" > two.txt
    [ -s one.txt ] && cmp -s one.txt two.txt || fail "$1: digits differ"
}

size() { { wc -c < "$1" || echo 0; } 2> /dev/null; }
random() { od -An -N2 -tu2 /dev/urandom | tr -d ' '; }
# Waits until FILE has grown by a random number of bytes, up to MOST, or the process has ended.
await_growth() { # FILE MOST PID
    wanted=$(($(size "$1") + $(random) % $2)) tries=0
    while [ $tries -lt 2000 ] && kill -0 "$3" 2> /dev/null && [ "$(size "$1")" -le $wanted ]; do sleep 0.005; tries=$((tries + 1)); done
}
# Starts the command with -o FILE and kills it, TIMES times, each after its journal has grown by up to MOST bytes.
kill_often() { # TIMES FILE MOST COMMAND...
    times=$1 file=$2 most=$3 hits=0; shift 3
    while [ "$times" -gt 0 ] && [ ! -e "$file" ]; do
        "$@" -o "$file" > out 2>&1 & pid=$!
        await_growth "$file.journal" "$most" $pid
        kill -9 $pid 2> /dev/null; wait $pid 2> /dev/null
        [ -e "$file" ] || hits=$((hits + 1))
        times=$((times - 1))
    done
    [ $hits -gt 0 ] || fail "done before the first kill: $*"
}
