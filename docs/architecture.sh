#!/bin/sh
# The folders of src/ and who includes whom, as Graphviz text: architecture.sh SOURCE_DIR
#   An edge A -> B: a file of A includes a header of B. `make docs` draws it; layout.tree compares it with docs/architecture.dot.
set -eu
cd "$1"
echo 'digraph judder {'
echo '    rankdir=BT; node [shape=box, style=rounded, fontname="Helvetica", fontsize=12]; edge [color="#666666", arrowsize=0.7];'
while read -r folder words; do
    printf '    "%s" [label=<<b>%s</b><br/><font point-size="9">%s</font>>];\n' "$folder" "$folder" "$words"
done <<'END'
base status, context, arena, tables of keys
linalg LAPACK, MUMPS
expsum exponential sums and their certified first zero
structure what vibrates
contact what touches
drive what pushes
kernel memory kernels of contact points
problem a whole problem in memory, get and set by path
engine motion in time
analysis orbit, follow, nsm, sweep, response, converge
model YAML to problem
result HDF5, CSV, JSON, WAV
picture scenes, gnuplot
cli the command, a file per verb
END
# The folder of a header; a public one belongs to the folder that defines it.
folder_of() {
    sed -e 's/^judder\/\(context\|param\|status\|version\)\.h$/base\//' -e 's/^judder\/closure\.h$/structure\//' -e 's/^judder\/run\.h$/engine\//' \
        -e 's/^judder\/\(orbit\|follow\|kernel\|nsm\|sweep\|converge\)\.h$/analysis\//' -e 's/^judder\/\([a-z]*\)\.h$/\1\//' -e 's/\/.*//'
}
for folder in base linalg expsum structure contact drive kernel problem engine analysis model result picture cli; do
    in=src/$folder
    [ "$folder" = cli ] && in=cli
    find "$in" -name '*.[ch]' -exec sed -n 's/^#include "\(.*\)"$/\1/p' {} + | folder_of | LC_ALL=C sort -u |
        while read -r used; do
            [ "$used" = "$folder" ] || [ ! -d "src/$used" ] || printf '    "%s" -> "%s";\n' "$folder" "$used"
        done
done
echo '}'
