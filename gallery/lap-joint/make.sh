#!/bin/sh
# make.sh FOLDER -- two plates of a lap joint by gmsh and CalculiX (Debian packages gmsh, calculix-ccx), and the model of the joint.
#   Then: judder check FOLDER/joint.yaml; judder reduce FOLDER/joint.yaml --modes 12 -o small.yaml, which is the file beside this one.
here=$(cd "$(dirname "$0")" && pwd) to=${1:?which folder?}
mkdir -p "$to" && cd "$to" || exit 1
plate() { # name, x0, z0, lines of the boundary
    gmsh -v 1 -3 -format inp -setnumber x0 "$2" -setnumber z0 "$3" -o "$1.mesh" "$here/plate.geo" || exit 1
    { cat "$1.mesh"; cat << X; } > "$1.inp"
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850
*SOLID SECTION, ELSET=PLATE, MATERIAL=STEEL
$4
*STEP
*FREQUENCY, SOLVER=MATRIXSTORAGE
5
*END STEP
X
    ccx "$1" > "$1.log" 2>&1
    [ -s "$1.sti" ] || { tail -5 "$1.log"; exit 1; }
}
held=$(gmsh -v 1 -3 -format inp -o lower.mesh "$here/plate.geo" && awk -F, '/^\*/ { on = $0 == "*NODE" } on && NF == 4 && $2 == 0 { printf "%s%d", n++ ? ", " : "", $1 }' lower.mesh)
plate lower 0 0 "*NSET, NSET=ROOT
$(echo "$held" | sed 's/\(\([0-9]*, \)\{8\}\)/\1\n/g')
*BOUNDARY
ROOT, 1, 3"
plate upper 0.08 0.004 ''

body() { # name, far end
    printf '  %s:\n    type: matrices\n    mass: %s.mas\n    stiffness: %s.sti\n    mesh: %s.inp\n    modes: 12\n    damping: {type: rayleigh, mass: 5 1/s, stiffness: 1e-7 s}\n    points:\n' "$1" "$1" "$1" "$1"
    [ -z "$2" ] || printf '      end: {near: [%s], dof: x}\n' "$2"
    for p in '1 0.09 0.01' '2 0.09 0.02' '3 0.11 0.01' '4 0.11 0.02'; do
        set -- $p
        for d in x y z; do printf '      p%s%s: {near: [%s m, %s m, 0.004 m], dof: %s}\n' "$1" $d "$2" "$3" $d; done
    done
}
{
    printf 'judder: 1\ntitle: Lap joint of two plates, from CalculiX matrices\nbodies:\n'
    body lower ''
    body upper '0.2 m, 0.01 m, 0.004 m'
    echo 'connections: # bolts: stiff across, free along the joint'
    for k in 1 2 3 4; do for d in y z; do echo "  bolt$k$d: {type: spring, at: lower.p$k$d, against: upper.p$k$d, stiffness: 1e8 N/m}"; done; done
    echo 'contacts: # a spring in series with dry friction at each bolt'
    for k in 1 2 3 4; do echo "  slip$k: {at: upper.p${k}x, against: {body: lower, point: p${k}x}, law: {type: coulomb, limit: 40 N, stiffness: 5e7 N/m}}"; done
    echo 'drives: {pull: {at: upper.end, type: harmonic, amplitude: 150 N, frequency: 20000 rad/s}}'
    echo 'simulate: {until: 40 periods}'
    echo 'output: {per_period: 40, points: [upper.end]}'
} > joint.yaml
