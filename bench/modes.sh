#!/bin/sh
# modes.sh JUDDER FOLDER [H...] -- time and memory of 40 modes beside CalculiX, on blocks of quadratic tetrahedra of these sizes [m]: 27 000, 92 000 and 220 000 degrees of freedom unless told.
#   Where gmsh and ccx are installed (Debian packages gmsh, calculix-ccx); the matrices are CalculiX's own files, reading them is part of Judder's time. One processor each, processor time and peak memory; a row that is above CalculiX says MISSED.
judder=$1 folder=$2
[ -x "$judder" ] && [ -n "$folder" ] || { sed -n '2s/^# *//p' "$0"; exit 2; }
case $judder in /*) ;; *) judder=$PWD/$judder ;; esac
shift 2
[ $# -gt 0 ] || set -- 0.0071 0.0045 0.0034
printf '\nModes of solids beside CalculiX: 40 modes (Judder with a static shape and error bounds)\n'
{ command -v gmsh && command -v ccx && [ -x /usr/bin/python3 ]; } > /dev/null || { echo "gmsh and ccx are not installed: not run"; exit 0; }
mkdir -p "$folder" && cd "$folder" || exit 2
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
cat > part.geo << 'X'
DefineConstant[ h = 0.01 ];
Point(1) = {0, 0, 0, h};
Point(2) = {0.2, 0, 0, h};
Point(3) = {0.2, 0.06, 0, h};
Point(4) = {0, 0.06, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
e[] = Extrude {0, 0, 0.03} { Surface{1}; };
Physical Volume("PART") = {e[1]};
Mesh.ElementOrder = 2;
X
cost() { # command...: "seconds kilobytes"
    /usr/bin/python3 -c 'import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print(round(u.ru_utime + u.ru_stime, 1), u.ru_maxrss)
sys.exit(code)' "$@"
}
failed=0
printf '%10s %22s %22s\n' 'dof' 'Judder' 'CalculiX'
for h; do
    gmsh -v 1 -3 -format inp -setnumber h "$h" -o part.mesh part.geo || exit 1
    {
        cat part.mesh
        printf '*NSET, NSET=ROOT\n'
        awk -F, '/^\*/ { on = $0 == "*NODE" } on && NF == 4 && $2 == 0 { print $1 "," }' part.mesh
        printf '*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n*SOLID SECTION, ELSET=PART, MATERIAL=STEEL\n*BOUNDARY\nROOT, 1, 3\n*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n40\n*END STEP\n'
    } > part.inp
    sed 's/, SOLVER=MATRIXSTORAGE//' part.inp > solve.inp
    ccx part > part.log 2>&1
    printf 'judder: 1\nstructure: {type: matrices, mass: part.mas, stiffness: part.sti, mesh: part.mesh, modes: 40, points: {tip: {near: [0.2, 0.06, 0.03], dof: z}}}\n' > part.yaml
    ours=$(cost "$judder" modes part.yaml --no-cache) || { echo "judder failed at h = $h"; exit 1; }
    theirs=$(cost ccx solve) || { echo "ccx failed at h = $h"; exit 1; }
    echo "$(grep -c . part.dof) $ours $theirs" | awk '{
        slow = ($2 > $4); large = ($3 > $5)
        said = slow && large ? "time and memory MISSED" : slow ? "time MISSED" : large ? "memory MISSED" : "met"
        printf("%10d %9.1f s %7.0f MB %9.1f s %7.0f MB  %s\n", $1, $2, $3 / 1024, $4, $5 / 1024, said)
        exit slow || large
    }' || failed=1
done
exit $failed
