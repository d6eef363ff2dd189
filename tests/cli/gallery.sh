#!/bin/sh
# gallery.sh JUDDER JSON GALLERY quick|slow -- every command of the gallery runs, and its numbers are right (figures.txt).
#   Nothing is drawn: the numbers that a picture shows are written instead, which needs no gnuplot.
judder=$1 json=$2 gallery=$3 part=$4
[ -x "$judder" ] && [ -x "$json" ] && [ -f "$gallery/figures.txt" ] || { echo "usage: gallery.sh JUDDER JSON GALLERY quick|slow"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$gallery" || exit 1
failed=0 commands=0 numbers=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }

run() { # the words of a command; its picture's numbers when it has one
    commands=$((commands + 1))
    rm -f "$work/out" "$work/plot.csv"
    [ -z "$file" ] || set -- "$@" --plot "$work/plot.csv"
    "$judder" "$@" --json > "$work/out" 2> "$work/err" < /dev/null || complain "judder $*: $(head -c 300 "$work/err" "$work/out")"
    [ -z "$file" ] || [ "$(wc -l < "$work/plot.csv")" -gt 3 ] || complain "judder $*: nothing to draw for $file"
    [ -z "$file" ] || [ -f "$file" ] || complain "$file is not there: make gallery"
}
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; if (s == 0) s = 1; exit !(a != "" && d <= t * s) }'; }

speed=quick
while read -r word rest; do
    case $word in
    figure) file=${rest%% *} speed=quick ;;
    numbers) file='' speed=quick ;;
    slow) speed=slow ;;
    judder) [ $speed != "$part" ] || { eval "set -- $rest"; run "$@"; } ;;
    check | own) # own: earlier output of Judder's own, no reference
        [ $speed = "$part" ] || continue
        origin='' && [ "$word" = check ] || origin=" (Judder's own earlier output)"
        path=${rest%% *} rest=${rest#* }
        got=$("$json" "$path" < "$work/out")
        numbers=$((numbers + 1))
        near "$got" "${rest% *}" "${rest#* }" || complain "$file: $path is $got, not ${rest% *} to ${rest#* }$origin"
        ;;
    esac
done < figures.txt
[ $commands -gt 4 ] || complain "only $commands commands"
for folder in */; do # no model without a command, no picture without a place
    for model in "$folder"*.yaml; do grep -q "^judder [a-z]* $model" figures.txt || complain "$model is in no command of figures.txt"; done
    for picture in "$folder"*.svg "$folder"*.png; do
        [ ! -f "$picture" ] || grep -q "(${picture#*/})" "${folder}README.md" || complain "$picture is not shown in ${folder}README.md"
        [ ! -f "$picture" ] || grep -q "^figure $picture " figures.txt || complain "$picture is not in figures.txt"
    done
done
echo "$commands commands, $numbers numbers, $failed failed"
exit $failed
