#!/bin/sh
# run.sh JUDDER SHIM GALLERY [EACH [PATTERN [STEP]]] -- every verb while memory, disk, files or time run out, EACH times a kind and verb (4; `all` for every single call),
#   only calls that match the regular expression PATTERN. Memory is Judder's, or that of HDF5, udunits2 or muParser, which crash or call exit() then. With `all`,
#   allocations fail in copies of the program where it writes no file (shim.c). Of the libraries' memory and where a file is written every STEP-th is taken (1).
judder=$1 shim=$2 gallery=$3 each=${4:-4} pattern=${5:-.} step=${6:-1}
[ -x "$judder" ] && [ -f "$shim" ] && [ -d "$gallery" ] || { echo "usage: run.sh JUDDER SHIM GALLERY [EACH [PATTERN [STEP]]]"; exit 1; }
judder=$(realpath "$judder") shim=$(realpath "$shim") gallery=$(realpath "$gallery")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" && mkdir tmp || exit 1
TMPDIR=$work/tmp && export TMPDIR
failed=0 tried=0 looks=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }
oscillator="$gallery/impact-oscillator/forced.yaml"
"$judder" run --force "$oscillator" --set simulate.until=6 --set output='{every: 0.5}' -q -o kept.h5 || complain "a result to read"
# One line per verb: what runs, and writes `out.h5`, `out.csv` or `out.svg` here.
verbs() {
    cat << END
new friction-beam -o out.yaml
check $oscillator
modes $gallery/friction-beam/rayleigh.yaml -q -o out.h5 --csv out.csv
kernel $gallery/cantilever/tip.yaml -q -o out.h5
run $oscillator --set simulate.until=6 --set output={every:\ 0.5} -q -o out.h5 --csv out.csv --events out.ev
run $gallery/friction-oscillator/formulas.yaml --set simulate.until=2 -q -o out.h5
orbit $oscillator -q -o out.h5
nsm $gallery/impact-chain/n5.yaml --set nsm.omega=[1.4,1.5] -q -o out.h5
sweep $gallery/impact-oscillator/hysteresis.yaml --set sweep.points=2 -q -o out.h5 --threads 1
follow $gallery/coulomb-oscillator/response.yaml --set follow.from=0.5 --set follow.to=0.52 -q -o out.h5
converge $gallery/two-rods/harmonic20.yaml --over simulate.nodes=16,28 --set simulate.until=0.02\ s --set bodies.sleeve.modes=4 -q -o out.h5
plot kept.h5 --csv out.csv -q
plot kept.h5 -o out.svg -q
info kept.h5
compare kept.h5 kept.h5
list structures
END
}
clean() {
    for f in out.* ./*.part-* ./*.journal tmp/*; do
        if [ -e "$f" ]; then rm -rf "$f"; fi
    done
}
# call LINE: runs it with its words split at blanks, `\ ` kept.
call() {
    eval "set -- $(printf '%s' "$1" | sed 's/[][{}(),;]/\\&/g')"
    "$judder" "$@"
}
# same A B: the same content; result files beside the time they took.
same() {
    case $1 in
    *.h5) "$judder" compare "$1" "$2" -q 2> why ;;
    *) cmp -s "$1" "$2" ;;
    esac
}
# judge CODE WHAT: a documented code, a reason, nothing half-written, nothing left behind.
judge() {
    tried=$((tried + 1))
    [ "$1" -le 3 ] || complain "$2: ended with $1: $(tail -c 200 err)"
    reason=; IFS= read -r reason < err
    case $1:$reason in [01]:* | *:'judder: '?*) ;; *) grep -q '^judder: .' err || complain "$2: no reason" ;; esac
    if [ -e out.h5 ]; then "$judder" info out.h5 -q 2> why || complain "$2: half a file: $(cat why)"; fi
    if [ -e out.svg ]; then tail -3 out.svg | grep -q '</svg>' || complain "$2: half a picture"; fi
    # shellcheck disable=SC2144
    [ ! -e ./*.part-* ] || complain "$2: a temporary file is left"
    # shellcheck disable=SC2144
    [ ! -e tmp/* ] || complain "$2: left in TMPDIR: $(ls tmp)"
    # Done means done: the same bytes as ever.
    for f in out.h5 out.csv out.ev out.svg out.yaml; do
        [ "$1" -ne 0 ] || [ ! -e "ref/$f" ] || same "ref/$f" $f || complain "$2: done, but $f is not as it should be"
    done
}
# places N: which of N calls are made to fail.
places() {
    if [ "$each" = all ] || [ "$1" -le "$each" ]; then seq 1 "$1"; return; fi
    awk -v n="$1" -v k="$each" -v seed=$((7 + $(printf '%s' "$line" | wc -c))) 'BEGIN { srand(seed); for (i = 0; i < k; i++) print 1 + int((i + rand()) * n / k) }'
}
# copies KIND LINE: every allocation of that kind fails in a copy but for those in `later`, at which a file is open for writing.
copies() {
    rm -f tell hear; mkfifo tell hear || exit 1
    : > err
    [ "$1" = memory ] && every=1 || every=$step
    OPENBLAS_NUM_THREADS=1 JD_SHIM=$1:fork:12 JD_SHIM_STEP=$every JD_SHIM_TELL=tell JD_SHIM_HEAR=hear LD_PRELOAD=$shim call "$2" > out 2>> err < /dev/null &
    exec 3< tell 4> hear
    while read -r n code <&3; do
        [ "$n" != later ] || { echo "$code" >> later; continue; }
        judge "$code" "$1 $n, errno 12: judder $2"
        clean; : > err
        echo >&4
    done
    exec 3<&- 4>&-
    wait $!
}
verbs | grep -E "$pattern" > list
while read -r line; do
    clean; rm -rf ref; mkdir ref
    JD_SHIM_COUNT=$work/count LD_PRELOAD=$shim call "$line" > out 2> err < /dev/null
    [ $? -le 1 ] || complain "$line: $(cat err)"
    for f in out.*; do [ -e "$f" ] && mv "$f" ref/; done
    own=0
    for kind in memory:12 hdf5:12 udunits2:12 c++:12 write:28 write:5 sync:5 rename:28 open:24; do
        what=${kind%:*}
        n=$(sed -n "s/^$what //p" count)
        if [ "$each$kind" = "all$what:12" ] && [ "$n" -gt 0 ]; then
            : > later
            copies "$what" "$line"
            which=$(awk -v step="$([ "$what" = memory ] && echo "$step" || echo 1)" 'NR % step == 0' later)
            own=$((own + $(echo "$which" | wc -w)))
        else
            which=$(places "${n:-0}")
        fi
        for k in $which; do
            for sign in '' -; do
                [ "$sign" = - ] && [ "${kind#*:}" != 12 ] && continue
                clean
                JD_SHIM_NAMED=$((k % 2)) JD_SHIM=$what:$sign$k:${kind#*:} LD_PRELOAD=$shim call "$line" > out 2> err < /dev/null
                judge $? "$what $sign$k of $n, errno ${kind#*:}: judder $line"
            done
        done
    done
    clean
    JD_SHIM=clock:0:0 JD_SHIM_COUNT=$work/count LD_PRELOAD=$shim call "$line" > out 2> err < /dev/null
    code=$?
    [ $code -le 1 ] || complain "a clock that jumps: judder $line: $code: $(cat err)"
    judge $code "a clock that jumps: judder $line"
    looks=$((looks + $(sed -n 's/^clock //p' count)))
    [ "$each" != all ] || echo "$tried times so far: ${line%% *}, $own allocations in programs of their own"
done < list
[ "$pattern" != . ] || [ $looks -gt 0 ] || complain "nobody looked at the clock that jumps"
echo "starved: $tried times, $failed failures"
[ $failed -eq 0 ]
