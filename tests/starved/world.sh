#!/bin/sh
# world.sh JUDDER GALLERY [TIMES] -- Ctrl-C at TIMES random moments (12), two programs on one output, limits, odd environments, a gnuplot that hangs or dies.
judder=$1 gallery=$2 times=${3:-12}
[ -x "$judder" ] && [ -d "$gallery" ] || { echo "usage: world.sh JUDDER GALLERY [TIMES]"; exit 1; }
judder=$(realpath "$judder") gallery=$(realpath "$gallery")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }
oscillator="$gallery/impact-oscillator/forced.yaml" map="$gallery/impact-oscillator/hysteresis.yaml"
whole() { [ ! -e "$1" ] || "$judder" info "$1" -q 2> why || complain "$2: half a file: $(cat why)"; }
named() { grep -q '^judder: .' err || complain "$1: no reason"; }

# Ctrl-C: nothing half-written, nothing left behind, a code that is documented (130: before the command listens).
"$judder" sweep --force "$map" --set sweep.points=40 -q -o whole.h5 || complain "a whole sweep"
"$judder" run --force "$oscillator" --set simulate.until=3000 --set output='{every: 0.5}' -q -o run.h5 || complain "a whole run"
moments=$(awk -v n="$times" 'BEGIN { srand(11); for (i = 0; i < n; i++) printf "%.3f\n", 0.002 + 0.25 * rand() * rand() }')
i=0
for moment in $moments; do
    i=$((i + 1)); rm -f out.*
    case $((i % 3)) in
    0) set -- run "$oscillator" --set simulate.until=1e7 -q -o out.h5 ;;
    1) set -- sweep "$map" --set sweep.points=40 -q -o out.h5 --threads 1 ;;
    2) set -- plot run.h5 -o out.svg -q ;;
    esac
    timeout -s INT -k 20 "$moment" env --default-signal=INT "$judder" "$@" > out 2> err # not ignored, whoever started this
    code=$?
    [ $code -le 3 ] || [ $code -eq 124 ] || [ $code -eq 130 ] || complain "Ctrl-C after $moment s: judder $1 ended with $code: $(tail -c 200 err)"
    whole out.h5 "Ctrl-C after $moment s: judder $1"
    if [ -e out.svg ]; then tail -3 out.svg | grep -q '</svg>' || complain "Ctrl-C after $moment s: half a picture"; fi
    # shellcheck disable=SC2144
    [ ! -e out.h5.part-* ] || complain "Ctrl-C after $moment s: judder $1 left a temporary file"
    if [ -e out.h5.journal ]; then # a sweep goes on from what it had
        "$judder" sweep --force "$map" --set sweep.points=40 -q -o out.h5 2> err && "$judder" compare whole.h5 out.h5 -q || complain "a sweep after Ctrl-C: $(cat err)"
    fi
done

# Two programs on one output: the last one to end wins, whole; of a sweep only one may write.
for n in 1 2 3; do "$judder" run --force "$oscillator" --set simulate.until=$((100 * n)) -q -o both.h5 & done
wait
whole both.h5 "three runs into one file"
[ -e both.h5 ] || complain "three runs into one file: none"

for n in 1 2; do
    ("$judder" sweep --force "$map" --set sweep.points=40 -q -o twice.h5 2> twice.err$n; echo $? > twice.code$n) &
done
wait
for n in 1 2; do # 0, or 3 because of the other
    [ "$(cat twice.code$n)" -eq 0 ] || { [ "$(cat twice.code$n)" -eq 3 ] && grep -q 'another judder is writing' twice.err$n; } || complain "two sweeps into one file: $(cat twice.code$n twice.err$n)"
done
"$judder" compare whole.h5 twice.h5 -q || complain "two sweeps into one file: another result"
[ ! -e twice.h5.journal ] || complain "two sweeps into one file: a journal is left"

# Folders that cannot be written, or vanish.
mkdir locked gone
chmod a-w locked
if [ "$(id -u)" -ne 0 ]; then
    "$judder" run --force "$oscillator" --set simulate.until=6 -q -o locked/x.h5 2> err
    [ $? -eq 3 ] || complain "a folder that is read-only"
    named "a folder that is read-only"
fi
(cd gone && rmdir ../gone && "$judder" run --force "$oscillator" --set simulate.until=6 -q -o x.h5 2> ../err)
[ $? -eq 3 ] || complain "a folder that vanished: $(cat err)"
named "a folder that vanished"
"$judder" run --force "$oscillator" --set simulate.until=6 -q -o /proc/none/x.h5 2> err
[ $? -eq 3 ] || complain "a folder that is none"

# A reader that goes away; no standard streams at all.
"$judder" list | head -1 > /dev/null || complain "a reader that goes away"
"$judder" run --force "$oscillator" --set simulate.until=6 -q -o closed.h5 0>&- 1>&- 2>&- || complain "no standard streams"
whole closed.h5 "no standard streams"

# Limits. Addresses: an error that is named, or the result, whichever of OpenBLAS's threads would come first.
for mb in 60 100 150 180 200 220 240 260 280 300 320 350 400 600; do
    (ulimit -v $((mb * 1024)) 2> /dev/null; exec timeout 20 "$judder" run --force "$oscillator" --set simulate.until=60 -q -o limit.h5) > out 2> err
    code=$?
    [ $code -le 3 ] || [ $code -eq 127 ] || complain "$mb MB of addresses: ended with $code: $(cat err)" # 127: the loader itself gave up
    whole limit.h5 "$mb MB of addresses"
done
for files in 3 4 5 6 8 16; do
    (ulimit -n $files; exec "$judder" run --force "$oscillator" --set simulate.until=6 -q -o files.h5 --plot files.svg) > out 2> err
    code=$?
    [ $code -le 3 ] || [ $code -eq 127 ] || complain "$files open files: ended with $code: $(cat err)"
    [ $code -eq 0 ] || [ $code -eq 127 ] || [ -s err ] || complain "$files open files: no reason"
    whole files.h5 "$files open files"
done

# Environments.
"$judder" run --force "$oscillator" --set simulate.until=6 --set output='{every: 0.5}' -q -o a.h5 --csv a.csv --plot a.svg || complain "as it is"
# A locale with decimal commas, made here where Debian's `locales` is installed.
mkdir locales && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 > out 2>&1 && LOCPATH=$work/locales && export LOCPATH
[ "$(LC_ALL=de_DE.UTF-8 locale decimal_point 2> /dev/null)" = , ] && comma=', a locale with commas' || comma=
for setting in LC_ALL=de_DE.UTF-8 LC_ALL=C LC_ALL=nonsense TMPDIR=/none TMPDIR= HOME=/none HOME= TERM= 'PATH=/usr/bin:/bin'; do
    env "$setting" "$judder" run --force "$oscillator" --set simulate.until=6 --set output='{every: 0.5}' -q -o b.h5 --csv b.csv > out 2> err || complain "$setting: $(cat err)"
    "$judder" compare a.h5 b.h5 -q && cmp -s a.csv b.csv || complain "$setting: another result"
done
env -i "$judder" run --force "$oscillator" --set simulate.until=6 -q -o b.h5 || complain "no environment at all"
LC_ALL=C "$judder" plot --force a.h5 -o a.svg -q || complain "a picture to compare with"
LC_ALL=de_DE.UTF-8 "$judder" plot --force a.h5 -o b.svg -q && cmp -s a.svg b.svg || complain "another picture where numbers have commas"
TMPDIR=/none "$judder" plot --force a.h5 -o b.svg -q 2> err
[ $? -eq 3 ] && grep -q TMPDIR err || complain "TMPDIR that is none: $(cat err)"
for variable in HOME TMPDIR LANG; do env -u $variable "$judder" plot --force a.h5 -o b.svg -q || complain "without $variable"; done

# gnuplot: missing, dying, hanging, failing, or saying nothing. The result is kept, the picture is not.
mkdir bin
ways='kill -9 $$|exec sleep 60|exit 1|exit 0|kill -SEGV $$|head -c 100 /dev/zero > picture; kill -9 $$'
n=$(printf '%s' "$ways" | tr -cd '|' | wc -c)
for k in $(seq 1 $((n + 1))); do
    way=$(printf '%s' "$ways" | cut -d'|' -f"$k")
    printf '#!/bin/sh\n%s\n' "$way" > bin/gnuplot && chmod +x bin/gnuplot
    rm -f c.svg
    PATH="$work/bin:$PATH" JUDDER_GNUPLOT_SECONDS=0.3 TMPDIR=$work "$judder" plot --force a.h5 -o c.svg -q 2> err
    code=$?
    { [ $code -eq 2 ] || [ $code -eq 3 ]; } || complain "gnuplot that does \`$way\`: $code"
    named "gnuplot that does \`$way\`"
    [ -e c.svg ] && complain "gnuplot that does \`$way\`: a picture"
done
PATH=/none "$judder" plot --force a.h5 -o c.svg -q 2> err
grep -q 'cannot start `gnuplot`' err || complain "without gnuplot: $(cat err)"
# shellcheck disable=SC2144
[ ! -e judder-picture-* ] || complain "folders of pictures are left"
echo "world: $i interruptions$comma, $failed failures"
[ $failed -eq 0 ]
