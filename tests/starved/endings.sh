#!/bin/sh
# endings.sh JUDDER SHIM GALLERY -- the command is crashed, ended by a library, asked to stop and killed: a reason, a documented code, nothing half-written.
judder=$1 shim=$2 gallery=$3
[ -x "$judder" ] && [ -f "$shim" ] && [ -d "$gallery" ] || { echo "usage: endings.sh JUDDER SHIM GALLERY"; exit 1; }
judder=$(realpath "$judder") shim=$(realpath "$shim") gallery=$(realpath "$gallery")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" && mkdir tmp bin || exit 1
TMPDIR=$work/tmp && export TMPDIR
# shellcheck disable=SC3045
ulimit -c 0
failed=0
complain() { echo "FAILED: $*"; failed=$((failed + 1)); }
oscillator="$gallery/impact-oscillator/forced.yaml"
clean() { # nothing but what the test itself made
    left=$(ls -d out.* ./*.part-* tmp/* 2> /dev/null)
    [ -z "$left" ] || complain "$1: left: $left"
    rm -rf out.* ./*.part-* tmp/*
}

# A crash, exit() and the end of the stack within HDF5, while the file is written without a name (0) and with one (1).
for named in 0 1; do
    for number in 11 7 4 8 6 0 99; do
        for n in 1 1500 3000; do
            JD_SHIM_NAMED=$named JD_SHIM=crash:$n:$number LD_PRELOAD=$shim "$judder" run --force "$oscillator" --set simulate.until=6 --set output='{every: 0.5}' -q -o out.h5 > out 2> err
            code=$?
            [ $code -eq 3 ] && grep -q '^judder: a \(crash in\|library that\)' err && grep -q '^  hint: ' err || complain "signal $number at $n: $code, $(cat err)"
            clean "signal $number at $n"
        done
    done
done
cp "$oscillator" kept.h5 # whatever was there stays
JD_SHIM=crash:3000:11 LD_PRELOAD=$shim "$judder" run --force "$oscillator" --set simulate.until=6 -q -o kept.h5 2> err
cmp -s "$oscillator" kept.h5 || complain "a crash changed the file that was there"
JD_SHIM=crash:3000:11 LD_PRELOAD=$shim "$judder" run --force "$oscillator" --set simulate.until=6 --json -o out.h5 > out 2> err
[ $? -eq 3 ] && grep -q '^{"error": {"name": "crashed", "message": "a crash .*", "where": "", "hint": ".*"}}$' out && [ ! -s err ] || complain "--json: $(cat out err)"
clean "--json"
JUDDER_CORE=1 JD_SHIM=crash:3000:11 LD_PRELOAD=$shim "$judder" run --force "$oscillator" --set simulate.until=6 -q -o out.h5 2> err
[ $? -eq 139 ] || complain "JUDDER_CORE: not ended by the signal"
clean "JUDDER_CORE"
"$judder" run --force "$oscillator" --set simulate.until=6 -q -o a.h5 || complain "a result to read"
for number in 11 6 0 99; do # in the child that reads a result first: the parent says what happened to it, the child nothing
    JD_SHIM=crash:2000:$number LD_PRELOAD=$shim "$judder" info a.h5 > out 2> err
    [ $? -eq 2 ] && grep -q '^judder: .*the HDF5 library \(fails on it\|gives up\)' err && [ "$(grep -c '^judder: ' err)" -eq 1 ] || complain "signal $number in the child: $(cat err)"
done

# Asked to stop: a run keeps what it has, asked again it ends.
begin() { # begin OPTION: a long run in the background, until its file grows
    "$judder" run --force "$oscillator" --set simulate.until=1e9 --set output='{every: 0.5}' -o out.h5 "$1" > out 2> err < /dev/null &
    victim=$! i=0
    # shellcheck disable=SC2046
    while [ $i -lt 300 ] && [ -z "$(find -L /dev/null $(find /proc/$victim/fd -lname "$work/*" 2> /dev/null) -maxdepth 0 -size +98k 2> /dev/null)" ]; do sleep 0.2; i=$((i + 1)); done
}
for name in TERM:143 HUP:129 INT:130; do
    code=${name#*:} name=${name%:*}
    begin --json
    kill -$name $victim; wait $victim
    [ $? -eq $code ] && grep -q '"interrupted"' out || complain "SIG$name: not stopped: $(cat err)"
    "$judder" info out.h5 -q || complain "SIG$name: the result is not whole"
    rm -f out.h5; clean "SIG$name"
done
trap '' HUP # as nohup does
begin -q
trap - HUP
kill -HUP $victim; sleep 0.2
kill -0 $victim 2> /dev/null || complain "SIGHUP ended a program that ignores it"
kill -TERM $victim; wait $victim
rm -f out.h5; clean "nohup"
# shellcheck disable=SC3045
(ulimit -S -t 1; exec "$judder" run --force "$oscillator" --set simulate.until=1e9 -q -o out.h5 2> err)
[ $? -eq 152 ] && "$judder" info out.h5 -q || complain "a limit of processor time: $(cat err)"
rm -f out.h5; clean "a limit of processor time"

# Killed while gnuplot draws: neither its folder nor a picture is left.
"$judder" run --force "$oscillator" --set simulate.until=6 --set output='{every: 0.5}' -q -o a.h5 || complain "a result to draw"
printf '#!/bin/sh\ntouch begun; exec sleep 5\n' > bin/gnuplot && chmod +x bin/gnuplot
for name in TERM HUP INT; do
    PATH="$work/bin:$PATH" env --default-signal=$name "$judder" plot --force a.h5 -o out.svg -q 2> err < /dev/null & victim=$!
    i=0; while [ $i -lt 100 ] && ! ls tmp/*/begun > /dev/null 2>&1; do sleep 0.1; i=$((i + 1)); done
    rm -f tmp/*/begun
    kill -$name $victim; wait $victim
    code=$?
    [ $code -gt 128 ] || complain "SIG$name while gnuplot draws: $code"
    clean "SIG$name while gnuplot draws"
done
echo "endings: $failed failures"
[ $failed -eq 0 ]
