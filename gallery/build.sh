#!/bin/sh
# build.sh JUDDER [WORD] -- draws the pictures of figures.txt, or those whose file name holds WORD; says how it gets on.
judder=$1 only=$2
case $judder in /*) ;; *) judder=$PWD/$judder ;; esac
[ -x "$judder" ] || { echo "usage: build.sh JUDDER [WORD]"; exit 2; }
cd "$(dirname "$0")" || exit 2
all=$(grep -c "^figure [^ ]*$only" figures.txt)
file='' done=0 failed=0 begin=$(date +%s)
most() { case $1 in *.svg) echo 150000 ;; *) echo 200000 ;; esac; }

draw() { # the words of a command
    printf '[%d/%d] %-40s' $((done + 1)) "$all" "$file"
    since=$(date +%s)
    if "$judder" "$@" -q --force --plot "$file"; then
        size=$(wc -c < "$file")
        printf '%4d s %7d bytes' $(($(date +%s) - since)) "$size"
        [ "$size" -le "$(most "$file")" ] || { printf '  too large'; failed=$((failed + 1)); }
        echo
    else
        failed=$((failed + 1))
    fi
    done=$((done + 1))
}

while read -r word rest; do
    case $word in
    figure) file=${rest%% *}; case $file in *$only*) ;; *) file='' ;; esac ;;
    numbers) file='' ;;
    judder) [ -z "$file" ] || { eval "set -- $rest"; draw "$@" < /dev/null; file=''; } ;;
    esac
done < figures.txt
echo "$done pictures in $(($(date +%s) - begin)) s, $failed failed"
[ "$failed" -eq 0 ]
