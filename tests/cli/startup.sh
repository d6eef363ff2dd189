#!/bin/sh
# startup.sh SOURCE JUDDER -- what a command costs before and beside the motion, in instructions of the whole process.
#   Counted by callgrind, so that a busy machine does not matter. HDF5, LAPACK and the database of units must not be loaded by commands that do not use them.
source=$1 judder=$2
[ -x "$judder" ] && [ -d "$source/gallery" ] || { echo "usage: startup.sh SOURCE JUDDER"; exit 1; }
command -v valgrind > /dev/null || { echo "skipped: no valgrind"; exit 77; }
failed=0

count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$judder" "$@" 2>&1 > /dev/null | sed -n 's/.*Collected : *//p' | awk '{ n += $1 } END { if (n) print n }' # of all its processes
}

cost() { # NAME MOST ARGUMENTS...: millions of instructions
    name=$1 most=$2
    shift 2
    count "$@" | awk -v name="$name" -v most="$most" '{ n = $1 / 1e6; printf "%-24s %7.2f million, at most %g\n", name, n, most; seen = 1; bad = n < 0.05 || n > most }
        END { exit !seen || bad }' || failed=1
}

unloaded() { # WORDS ARGUMENTS...: none of these libraries is opened
    words=$1
    shift
    loaded=$(LD_DEBUG=files "$judder" "$@" 2>&1 > /dev/null | grep -oE "calling init: .*($words)" | sort -u)
    [ -z "$loaded" ] || { echo "judder $*: $loaded"; failed=1; }
}

beam=$source/gallery/friction-beam/rayleigh.yaml
unloaded 'hdf5|lapack|blas|mumps|sndfile|muparser' --version
unloaded 'hdf5|lapack|blas|mumps|sndfile|muparser' run "$beam"
cost "--version" 1 --version
cost "check" 8 check "$beam"
cost "run, friction beam" 42 run "$beam"
# What 64 shards of the map of 10 000 points, 68 000 million, cost beside one run: 64 times what a shard of one point takes beside that point (54 million: most is loading LAPACK, 19, and HDF5, 17), 5 %,
# and the merge: 57 million, 14.5 a shard and 0.15 a point (measured on 4 and 8 shards, 64 and 576 points), 2500 in all, 4 %.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cost "shard of one point" 70 sweep "$source/gallery/friction-beam/map.yaml" --shard 1/10000 --threads 1 -q -o "$work/shard.h5"
for k in 1 2 3 4; do "$judder" sweep "$source/gallery/friction-beam/map.yaml" --set sweep.points=[8,8] --shard $k/4 --threads 1 -q -o "$work/part$k.h5" || failed=1; done
cost "merge of four shards" 140 merge "$work/part1.h5" "$work/part2.h5" "$work/part3.h5" "$work/part4.h5" -q -o "$work/map.h5"
exit $failed
