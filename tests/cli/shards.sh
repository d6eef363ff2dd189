#!/bin/sh
# shards.sh JUDDER [KILLS] -- a sweep in shards, merged, is the sweep: same digits in any order and any number of shards, after
# kills at random moments (10, or KILLS times, each of two), by xargs and by GNU parallel; what does not fit together is refused by name.
judder=$1 kills=${2:-10}
[ -x "$judder" ] || { echo "usage: shards.sh JUDDER [KILLS]"; exit 1; }
# shellcheck source=tests/cli/spread.sh
. "$(cd "$(dirname "$0")" && pwd)/spread.sh"

whole() { "$judder" sweep "$1" --json -q > whole.json; }
merged() { # WHAT FILES...: they are the whole
    what=$1; shift
    "$judder" merge "$@" --json > merged.json 2> err || { fail "$what: merge fails: $(cat merged.json)"; return; }
    same "$what" whole.json merged.json
}

# Kinds of sweeps in 1, 3 and 40 shards (more than there are points), last shard first.
model plain.yaml 'points: [6, 5], classes: {calm: events == 0}, beside: {line: 0.3 + 0.2*times}'
model starts.yaml 'points: [3, 2], starts: 2'
model carried.yaml 'points: [6, 5], direction: both'
keep=$grid grid='parameters: [structure.bending_stiffness, contacts.tip.law.limit], from: [1e4, 0.3], to: [1.2e4, 1.4]'
model modes.yaml 'points: [6, 5]'
grid=$keep
for name in plain starts carried modes; do
    whole $name.yaml || { fail "$name: the sweep itself fails"; continue; }
    for n in 1 3 $([ $name = plain ] && echo 40); do
        files=
        k=1; while [ "$k" -le "$n" ]; do
            "$judder" sweep $name.yaml --shard "$k/$n" -o "$name-$k-$n.h5" -q || fail "$name: shard $k/$n fails"
            files="$name-$k-$n.h5 $files"; k=$((k + 1))
        done
        # shellcheck disable=SC2086 # a list
        merged "$name in $n shards" $files
    done
done
whole plain.yaml
"$judder" sweep plain.yaml -o whole.h5 -q
"$judder" merge plain-3-3.h5 plain-1-3.h5 plain-2-3.h5 -o merged.h5 > out || fail "merge -o fails"
grep -q '3 shards, 30 points' out || fail "merge does not say what it merged"
"$judder" compare merged.h5 whole.h5 > out || fail "compare: $(cat out)"
# Shards of different numbers: 1/4 and 3/4 are 1/2.
for s in 1/2 2/4 4/4; do "$judder" sweep plain.yaml --shard $s -o "mixed-${s%/*}.h5" -q; done
merged "shards of different numbers" mixed-4.h5 mixed-1.h5 mixed-2.h5

# A picture of a shard does not say that what others hold does not move.
if command -v gnuplot > /dev/null; then
    "$judder" plot plain-1-3.h5 -o shard.svg > out && grep -q 'not in this shard' shard.svg || fail "picture of a shard"
    "$judder" plot merged.h5 -o merged.svg > out && grep -q 'in this shard' merged.svg && fail "picture of the whole"
fi

# Killed at random moments, and started again until it is done.
model long.yaml 'points: [40, 30]'
whole long.yaml
for k in 1 2; do
    kill_often "$kills" long-$k.h5 $((160000 / kills)) "$judder" sweep long.yaml --shard $k/2 -q
    "$judder" sweep long.yaml --shard $k/2 --force -o long-$k.h5 -q || fail "killed shard does not go on"
done
merged "killed $kills times each" long-1.h5 long-2.h5

# The journal of one shard is not that of another.
kill_often 1 cut.h5 2000 "$judder" sweep long.yaml --shard 1/2 -q
"$judder" sweep long.yaml --shard 2/2 -o cut.h5 -q 2> err && fail "a shard takes the journal of another"
grep -q 'belongs to another' err || fail "journal of another shard: $(cat err)"

# Recipes of the guide.
whole plain.yaml
seq 5 | xargs -P 2 -I{} "$judder" sweep plain.yaml --shard {}/5 --threads 1 -o xargs-{}.h5 -q || fail "xargs fails"
merged "by xargs" xargs-*.h5
if command -v parallel > /dev/null && parallel --version 2> /dev/null | grep -q 'GNU parallel'; then
    parallel -j 2 "$judder" sweep plain.yaml --shard {}/5 --threads 1 -o parallel-{}.h5 -q ::: 1 2 3 4 5 2> err || fail "parallel fails: $(cat err)"
    merged "by GNU parallel" parallel-*.h5
else
    echo "GNU parallel is not there: its recipe was not tried"
fi

# What is refused, and how.
refuse() { # STATUS TEXT ARGUMENTS...
    status=$1 text=$2; shift 2
    "$judder" "$@" --json > out 2>&1 && { fail "not refused: $*"; return; }
    grep -q "\"$status\"" out || fail "not $status: $* -- $(cat out)"
    grep -q "$text" out || fail "does not say '$text': $* -- $(cat out)"
}
for s in 0/4 5/4 4 1/0 a/b 1/2x -1/2 1/ /2 1//2 99999999999/99999999999; do refuse bad-usage 'K from 1 to N' sweep plain.yaml --shard=$s -o x.h5; done
cp plain-2-3.h5 twice.h5
refuse duplicate-name 'both hold the point' merge plain-1-3.h5 plain-2-3.h5 twice.h5 plain-3-3.h5 -o x.h5
refuse missing-key '10 of the 30 points are missing' merge plain-1-3.h5 plain-3-3.h5 -o x.h5
refuse missing-key 'not given: 2' merge plain-1-3.h5 plain-3-3.h5 -o x.h5
refuse missing-key 'contacts.tip.law.limit = ' merge plain-1-3.h5 -o x.h5
refuse bad-result-file 'not shards of one sweep: their models differ' merge plain-1-3.h5 starts-2-3.h5 -o x.h5
"$judder" sweep plain.yaml --set contacts.tip.law.limit=0.7 --set structure.elements=3 --shard 2/3 -o other.h5 -q
refuse bad-result-file 'not shards of one sweep' merge plain-1-3.h5 other.h5 plain-3-3.h5 -o x.h5
refuse bad-result-file 'a whole sweep, not a shard' merge whole.h5 -o x.h5
"$judder" modes plain.yaml -o modes.h5 -q
refuse bad-result-file 'of kind .modes.' merge modes.h5 -o x.h5
head -c 9000 plain-1-3.h5 > torn.h5
refuse bad-result-file 'torn.h5' merge torn.h5 plain-2-3.h5 plain-3-3.h5 -o x.h5
refuse cannot-read 'nothing.h5' merge nothing.h5 -o x.h5
refuse bad-usage 'would replace the shard .plain-2-3.h5' merge plain-1-3.h5 plain-2-3.h5 plain-3-3.h5 -o plain-2-3.h5
[ -e x.h5 ] && fail "a refused merge leaves a file"
[ $failed = 0 ] && echo "shards and whole sweeps are the same"
exit $failed
