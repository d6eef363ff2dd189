#!/bin/sh
# files.sh JUDDER GALLERY -- outputs and inputs in places that do not take or give them: full devices, pipes, links, folders of others, the input itself, long names.
#   Permissions mean nothing to root: then they are tried as `nobody` by setpriv, or left out where that is not possible.
judder=$1 gallery=$2
[ -x "$judder" ] && [ -d "$gallery" ] || { echo "usage: files.sh JUDDER GALLERY"; exit 1; }
judder=$(realpath "$judder") gallery=$(realpath "$gallery")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" && chmod 755 . && mkdir tmp && chmod 777 tmp || exit 1
TMPDIR=$work/tmp && export TMPDIR
failed=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }
{ sed 's/^output:.*//' "$gallery/impact-oscillator/forced.yaml" && echo && echo 'output: {every: 0.5}'; } > model.yaml
sweep="$gallery/impact-oscillator/hysteresis.yaml"
# ends CODE WORDS ARGUMENTS...: as user $as; the reason has these words; no temporary file is left.
as=
ends() {
    wanted=$1 words=$2
    shift 2
    # shellcheck disable=SC2086
    $as "$judder" "$@" > out 2> err < /dev/null
    code=$?
    [ $code -eq "$wanted" ] || complain "judder $*: ended with $code, not $wanted: $(head -c 300 err)"
    [ -z "$words" ] || grep -q "^judder: .*$words" err || complain "judder $*: not said: $words: $(head -c 300 err)"
    left=$(find . -name '*.part-*' -o -name 'judder-picture-*')
    [ -z "$left" ] || complain "judder $*: left: $left"
}
run() { wanted=$1 words=$2; shift 2; ends "$wanted" "$words" run model.yaml --force --set simulate.until=6 -q "$@"; }
whole() { "$judder" info "$1" -q 2> err || complain "$2: $(cat err)"; }

# Standard output: full, closed, a reader that goes away. Files are written all the same.
if [ -e /dev/full ]; then
    for option in '' --json '--csv -'; do
        rm -f a.h5
        # shellcheck disable=SC2086
        "$judder" run --force model.yaml --set simulate.until=6 $option -o a.h5 > /dev/full 2> err
        [ $? -eq 3 ] && grep -q 'standard output: No space left' err || complain "a full standard output, $option: $(cat err)"
        whole a.h5 "a full standard output, $option"
    done
    run 3 'No space left' -o /dev/full
    run 3 'No space left' --csv /dev/full
fi
"$judder" run --force model.yaml --set simulate.until=6 -o b.h5 >&- 2> err
[ $? -eq 3 ] && grep -q 'standard output: Bad file' err || complain "a closed standard output: $(cat err)"
whole b.h5 "a closed standard output"
(env --default-signal=PIPE "$judder" run --force model.yaml --set simulate.until=2000 --csv - -o c.h5 2> err; echo $? > code) | head -1 > /dev/null
[ "$(cat code)" -eq 3 ] && [ ! -s err ] || complain "a reader that goes away: $(cat code err)"
whole c.h5 "a reader that goes away"
(env --default-signal=PIPE "$judder" run model.yaml --set simulate.until=2000 --csv - 2> err; echo $? > code) | head -1 > /dev/null
[ "$(cat code)" -eq 141 ] && [ ! -s err ] || complain "a reader that goes away, and nobody else: $(cat code err)"

# The input itself is never replaced, under whatever name.
cp model.yaml kept.yaml; ln -s model.yaml link.yaml; ln model.yaml hard.yaml
for option in -o --csv --events --wav; do
    for name in model.yaml ./model.yaml link.yaml hard.yaml; do run 2 'would replace the model' $option $name; done
done
printf 'time,value\n0,0\n1,1\n2,0\n' > table; cp table kept.csv; ln -s table tablelink
sed 's/^  push:.*/  push: {at: mass, type: table, file: table}/' model.yaml > tabled.yaml
grep -q 'file: table' tabled.yaml || complain "a model with a table"
for option in -o --csv --events --wav; do
    for name in table tablelink; do ends 2 'which the model names' run tabled.yaml --force --set simulate.until=6 -q $option $name; done
done
cmp -s table kept.csv || complain "the table was replaced"
cmp -s model.yaml kept.yaml && cmp -s hard.yaml kept.yaml || complain "the model was replaced"
for name in a.csv a.svg; do
    cp a.h5 $name
    ends 2 'would replace the result' plot $name -o $name -q
    whole $name "a picture onto its result"
done
ends 2 'would replace the result' plot a.csv --csv a.csv -q
ends 2 'both name' plot a.h5 -o x.csv --csv x.csv -q
run 2 'both name' -o x.h5 --wav x.h5

# Links: what they lead to is written, also where it is not there yet; the link stays.
ln -s real.h5 link.h5; ln -s link.h5 second.h5; ln -s none/x.h5 nowhere.h5; ln -s loop.h5 loop.h5; mkdir sub; ln -s ../far.h5 sub/link.h5
run 0 '' -o second.h5
[ -L second.h5 ] && [ -L link.h5 ] && [ ! -L real.h5 ] || complain "a link was replaced"
whole real.h5 "behind two links"
run 0 '' -o sub/link.h5
[ -L sub/link.h5 ] && [ -f far.h5 ] || complain "a link to another folder"
run 3 'No such file' -o nowhere.h5
run 3 'symbolic links' -o loop.h5
run 3 'Is a directory' -o sub
run 3 'No such file' -o ''
mkfifo pipe; cat pipe > got & run 0 '' --csv pipe; wait
[ "$(wc -l < got)" -gt 10 ] && [ -p pipe ] || complain "into a pipe"

# Names as long as the system allows, and longer; folders that vanish.
name=$(head -c 200 /dev/zero | tr '\0' n)
run 0 '' -o "$name.h5" && whole "$name.h5" "a long name"
run 3 'name too long' -o "$name$name.h5"
ends 3 'name too long' plot a.h5 -q -o "$name$name.svg"
ends 3 'name too long' sweep "$sweep" --set sweep.points=2 -q -o "$name$name.h5"
ends 3 'name too long' info "$name$name"
mkdir gone; (cd gone && rmdir ../gone && "$judder" run ../work.yaml > ../out 2> ../err)
[ $? -eq 3 ] || complain "a folder that vanished"
mkdir gone; (TMPDIR=$work/gone; export TMPDIR; rmdir gone; "$judder" plot --force a.h5 -q -o g.svg 2> err)
[ $? -eq 3 ] && grep -q TMPDIR err && [ ! -e g.svg ] || complain "TMPDIR that vanished: $(cat err)"

# What belongs to others: read-only folders and files, inputs that may not be read.
if [ "$(id -u)" -eq 0 ]; then as='setpriv --reuid=65534 --regid=65534 --clear-groups'; fi
# shellcheck disable=SC2086
if $as test -r model.yaml -a -x "$judder" -a -r "$sweep" 2> /dev/null; then
    mkdir theirs mine shut; chmod 777 mine; cp a.h5 theirs/old.h5; cp a.h5 mine/old.h5; cp a.h5 secret.h5; cp model.yaml secret.yaml; cp model.yaml shut/m.yaml
    if [ "$(id -u)" -eq 0 ]; then chown 65534 mine/old.h5; fi
    chmod 444 mine/old.h5 theirs/old.h5; chmod 555 theirs; chmod 0 secret.h5 secret.yaml shut
    for option in -o --csv --events --wav; do run 3 'Permission denied' $option theirs/x.new; done
    run 3 'Permission denied' -o theirs/old.h5
    run 3 'Permission denied' -o mine/old.h5
    ends 3 'Permission denied' sweep "$sweep" --set sweep.points=2 -q -o theirs/x.h5
    ends 3 'Permission denied' new friction-beam -o theirs/x.yaml
    ends 3 'Permission denied' plot a.h5 -q -o theirs/x.svg
    ends 3 'Permission denied' info secret.h5
    ends 3 'Permission denied' compare a.h5 secret.h5
    ends 3 'Permission denied' run secret.yaml
    ends 3 'Permission denied' run shut/m.yaml
    chmod 555 tmp; ends 3 'cannot make a folder' plot a.h5 -q -o mine/x.svg; chmod 777 tmp
    run 0 '' -o mine/new.h5 --plot mine/new.svg
    cmp -s a.h5 theirs/old.h5 && cmp -s a.h5 mine/old.h5 && [ "$(find theirs | wc -l)" -eq 2 ] || complain "read-only files were touched"
    whole mine/new.h5 "a folder of one's own"
    others=', permissions'
fi
echo "files: outputs, inputs${others:-, permissions not tried}: $failed failures"
[ $failed -eq 0 ]
