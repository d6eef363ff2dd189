#!/bin/sh
# large.sh JUDDER FOLDER [NX NY NZ]... -- time and memory of the lowest 50 modes of blocks of NX x NY x NZ bricks (60 23 23, 104 000 degrees of freedom, unless told; 88 33 33 has 305 000)
#   beside ARPACK with CHOLMOD called directly (peer_cholmod.c; Debian: libsuitesparse-dev, libarpack2-dev, python3-scipy). One processor each; processor time and peak memory, of Judder with
#   reading the matrices as text, a static shape, bounds of the errors and the count that no mode is missing. The frequencies of both are compared. At most 1.2 times the time, and 6 GiB, are wanted. Not part of `make bench`.
judder=$1 folder=$2 here=$(cd "$(dirname "$0")" && pwd)
[ -x "$judder" ] && [ -n "$folder" ] || { sed -n '2s/^# *//p' "$0"; exit 2; }
case $judder in /*) ;; *) judder=$PWD/$judder ;; esac
shift 2
[ $# -ge 3 ] || set -- 60 23 23
mkdir -p "$folder" && cd "$folder" || exit 2
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
cc -O2 -w -I/usr/include/suitesparse -I/usr/include/arpack "$here/peer_cholmod.c" -o peer -lcholmod -larpack -lm || exit 2
cost() { # FILE command...: its output there; "seconds kilobytes"
    /usr/bin/python3 -c 'import resource, subprocess, sys
code = subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], "w")).returncode
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print(round(u.ru_utime + u.ru_stime, 1), u.ru_maxrss)
sys.exit(code)' "$@"
}
failed=0
while [ $# -ge 3 ]; do
    n=$(/usr/bin/python3 "$here/large_block.py" . "$1" "$2" "$3") || exit 1
    shift 3
    theirs=$(cost peer.txt ./peer block.bin) || { echo "the peer failed"; exit 1; }
    ours=$(cost ours.json "$judder" modes part.yaml --no-cache --json --count 50) || { echo "judder failed: $(cat ours.json)"; exit 1; }
    /usr/bin/python3 - << 'X' || failed=1
import json
ours = [m["omega"] for m in json.load(open("ours.json"))["modes"]][:50]
theirs = sorted(float(x) ** .5 for x in open("peer.txt"))
off = max(abs(a / b - 1) for a, b in zip(ours, theirs))
print(f"frequencies: the largest difference of {len(theirs)} is {off:.1e}")
raise SystemExit(off > 1e-8)
X
    echo "$n $ours $theirs" | awk '{
        slow = ($2 > 1.2 * $4); large = ($3 > 6 * 1048576)
        printf("%8d dof: Judder %.1f s, %.0f MB; ARPACK with CHOLMOD %.1f s, %.0f MB; time %.2f of 1.2 allowed%s%s\n", $1, $2, $3 / 1024, $4, $5 / 1024, $2 / $4, slow ? " MISSED" : "", large ? ", memory MISSED" : "")
        exit slow || large
    }' || failed=1
done
exit $failed
