#!/bin/sh
# million.sh JUDDER FOLDER [NX [MODES]] -- a slender bar of 1 000 350 unknowns, once: its lowest 30 modes, time, memory, and its axial modes beside their closed form. Takes 9 GB of memory and 2 GB of disk.
#   NX x 14 x 14 bricks (NX = 1482), 2 m x 0.1 m x 0.1 m, clamped at one end (large_block.py; Debian: python3-scipy). With Poisson's ratio 0 an axial mode of the bricks moves as a rod of linear elements,
#   omega^2 = 6 (c/h)^2 (1 - cos kh)/(2 + cos kh), k = (2 m - 1) pi/(2 L), to the last digit: the largest difference may be 1e-8. Not part of `make bench`.
judder=$1 folder=$2 nx=${3:-1482} modes=${4:-30} here=$(cd "$(dirname "$0")" && pwd)
[ -x "$judder" ] && [ -n "$folder" ] || { sed -n '2s/^# *//p' "$0"; exit 2; }
case $judder in /*) ;; *) judder=$PWD/$judder ;; esac
mkdir -p "$folder" && cd "$folder" || exit 2
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
/usr/bin/python3 "$here/large_block.py" . "$nx" 14 14 2 0.1 0.1 0 || exit 1
/usr/bin/python3 - "$nx" "$judder" modes part.yaml --set structure.modes="$modes" --no-cache --json --count all << 'X'
import json, math, resource, subprocess, sys
bricks = int(sys.argv[1])
out = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE)
if out.returncode:
    raise SystemExit(f"judder failed: {out.stdout.decode()}")
used = resource.getrusage(resource.RUSAGE_CHILDREN)
mode = [m for m in json.loads(out.stdout)["modes"] if not m["static_shape"]]
c, h, worst, seen = math.sqrt(2.1e11 / 7850), 2 / bricks, 0, 0
for k in range(1, len(mode)):
    turn = (2 * k - 1) * math.pi / 2 / bricks
    exact = math.sqrt(6 * (c / h) ** 2 * (1 - math.cos(turn)) / (2 + math.cos(turn)))
    if exact > mode[-1]["omega"]:
        break
    near = min(mode, key=lambda m: abs(m["omega"] - exact))
    off = near["omega"] / exact - 1
    print(f"axial mode {k}, number {near['mode']}: {near['frequency_hz']:.9g} Hz, {off:.1e} beside the closed form, error stated {near['error']:.1e}")
    worst, seen = max(worst, abs(off)), seen + 1
print(f"{len(mode)} modes: {used.ru_utime + used.ru_stime:.0f} s of processor time, {used.ru_maxrss / 1024:.0f} MB")
raise SystemExit(seen == 0 or worst > 1e-8)
X
