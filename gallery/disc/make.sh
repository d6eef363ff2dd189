#!/bin/sh
# make.sh FOLDER -- an annular disc by gmsh and CalculiX (Debian packages gmsh, calculix-ccx), and its model.
#   Then: judder check FOLDER/disc.yaml; judder reduce FOLDER/disc.yaml --modes 20 -o small.yaml, which is the file beside this one.
here=$(cd "$(dirname "$0")" && pwd) to=${1:?which folder?}
mkdir -p "$to" && cd "$to" || exit 1
gmsh -v 1 -3 -format inp -o disc.mesh "$here/disc.geo" || exit 1
held=$(awk -F, '/^\*/ { on = $0 == "*NODE" } on && NF == 4 && $2 * $2 + $3 * $3 < 0.050001 ^ 2 { printf "%d,\n", $1 }' disc.mesh)
{ cat disc.mesh; cat << X; } > disc.inp
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850
*SOLID SECTION, ELSET=DISC, MATERIAL=STEEL
*NSET, NSET=HUB
$held
*BOUNDARY
HUB, 1, 3
*STEP
*FREQUENCY, SOLVER=MATRIXSTORAGE
5
*END STEP
X
ccx disc > disc.log 2>&1
[ -s disc.sti ] || { tail -5 disc.log; exit 1; }
{
    printf 'judder: 1\ntitle: Annular disc under engine order 2, with friction at its rim\nstructure:\n  type: matrices\n  mass: disc.mas\n  stiffness: disc.sti\n  mesh: disc.inp\n  modes: 20\n  damping: {type: ratio, value: 0.001}\n  points:\n'
    for k in 0 1 2 3 4 5 6 7 8 9 10 11; do
        echo "$k" | awk '{ a = $1 * atan2(0, -1) / 6; printf "    r%d: {near: [%.9f m, %.9f m, 0.006 m], dof: z}\n", $1, 0.15 * cos(a), 0.15 * sin(a) }'
    done
    echo 'contacts:'
    for k in 0 4 8; do echo "  pad$k: {at: r$k, against: ground, law: {type: coulomb, limit: 1 N}}"; done
    echo 'drives: {wake: {type: travelling, points: [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11], order: 2, amplitude: 1 N, frequency: {times: 1, mode: 4}}}'
    echo 'simulate: {until: 60 periods}'
    echo 'output: {per_period: 24, points: [r0, r1]}'
} > disc.yaml
