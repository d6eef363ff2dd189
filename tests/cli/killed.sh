#!/bin/sh
# killed.sh JUDDER [KILLS] -- a batch and a search from random starts that are killed at random moments (4, or KILLS times each) go on from their journals and
# end in the digits of an undisturbed run; journals of other work, and damaged ones, are refused; Ctrl-C keeps what was done.
judder=$1 kills=${2:-4}
[ -x "$judder" ] || { echo "usage: killed.sh JUDDER [KILLS]"; exit 1; }
# shellcheck source=tests/cli/spread.sh
. "$(cd "$(dirname "$0")" && pwd)/spread.sh"

until='200 periods'
model beam.yaml 'points: [3, 3]'
knocker knocker.yaml
cases 300 > cases.csv
piece() { # bytes of a journal's record, by the header
    od -An -j24 -N8 -tu8 "$1" | tr -d ' '
}

# Batches.
"$judder" batch beam.yaml --table cases.csv --json -q > whole.json
kill_often "$kills" batch.h5 $((400000 / kills)) "$judder" batch beam.yaml --table cases.csv --threads 1 -q
[ -e batch.h5 ] && echo "the batch was done after $hits kills"
"$judder" batch beam.yaml --table cases.csv --force -o batch.h5 --json > batch.json 2> err
[ -e batch.h5 ] || fail "a killed batch does not go on: $(cat err)"
same "a batch that was killed $hits times" whole.json batch.json
[ -e batch.h5.journal ] && fail "the journal of the batch stays"
"$judder" batch beam.yaml --table cases.csv -o once.h5 -q
"$judder" compare batch.h5 once.h5 > out || fail "files of batches: $(cat out)"

# Random starts.
"$judder" orbit knocker.yaml --starts 400 --seed 5 --json -q > whole.json
kill_often "$kills" starts.h5 $((40000 / kills)) "$judder" orbit knocker.yaml --starts 400 --seed 5 --threads 1 -q
[ -e starts.h5 ] && echo "the starts were done after $hits kills"
"$judder" orbit knocker.yaml --starts 400 --seed 5 --force -o starts.h5 --json > starts.json 2> err
[ -e starts.h5 ] || fail "killed starts do not go on: $(cat err)"
same "starts that were killed $hits times" whole.json starts.json
[ -e starts.h5.journal ] && fail "the journal of the starts stays"

# Ctrl-C: what was done is told, nothing but the journal is written, the same command goes on.
"$judder" orbit knocker.yaml --starts 100000 -o cut.h5 --threads 1 > out 2> err & pid=$!
await_growth cut.h5.journal 4000 $pid; await_growth cut.h5.journal 4000 $pid
kill -TERM $pid; wait $pid; code=$?
[ $code = 143 ] || fail "SIGTERM: starts end with $code"
grep -q 'of 100000 starts are told; the same command goes on' err || fail "SIGTERM: $(cat err)"
[ -e cut.h5 ] && fail "starts that were cut short are written"
[ -e cut.h5.journal ] || fail "starts that were cut short keep no journal"
# What is told of a cut search is what a search from so many starts finds.
n=$(sed -n 's/.*the first \([0-9]*\) of.*/\1/p' err)
[ "${n:-0}" -gt 0 ] && "$judder" orbit knocker.yaml --starts "$n" > fewer 2> err
sed '/journal/d' out > told; cmp -s told fewer || fail "a cut search tells something else than one of $n starts"

# Journals of other work.
refuse() { # TEXT ARGUMENTS...
    text=$1; shift
    "$judder" "$@" --json > out 2>&1 && { fail "not refused: $*"; return; }
    grep -q '"bad-result-file"' out && grep -q "$text" out || fail "does not say '$text': $* -- $(cat out)"
}
refuse 'belongs to another' orbit knocker.yaml --starts 100000 --seed 2 -o cut.h5
refuse 'belongs to another' orbit knocker.yaml --starts 99999 -o cut.h5
refuse 'belongs to another' orbit knocker.yaml --starts 100000 --set drives.shaker.amplitude=1.1 -o cut.h5
refuse 'belongs to another' orbit knocker.yaml --starts 100000 --set orbit.settle=50 -o cut.h5
record=$(piece cut.h5.journal)
printf 'X' | dd of=cut.h5.journal bs=1 seek=$((40 + record / 2)) conv=notrunc 2> /dev/null
refuse 'is damaged: record 1' orbit knocker.yaml --starts 100000 -o cut.h5
"$judder" orbit knocker.yaml --starts 4 -o cut.h5 --restart -q 2> err || fail "--restart: $(cat err)"
"$judder" orbit knocker.yaml --restart > out 2>&1 && fail "--restart without --starts is taken"
kill_often 1 other.h5 20000 "$judder" batch beam.yaml --table cases.csv --threads 1 -q
if [ -e other.h5.journal ] && [ "$(size other.h5.journal)" -gt 40 ]; then
    cases 299 > fewer.csv
    refuse 'belongs to another' batch beam.yaml --table fewer.csv -o other.h5
    sed 's/,1.500/,1.501/' cases.csv > other.csv
    refuse 'belongs to another' batch beam.yaml --table other.csv -o other.h5
    refuse 'belongs to another' batch beam.yaml --table cases.csv --set drives.shaker.frequency.times=1.2 -o other.h5
    printf 'X' | dd of=other.h5.journal bs=1 seek=100 conv=notrunc 2> /dev/null
    refuse 'is damaged: record 1' batch beam.yaml --table cases.csv -o other.h5
    head -n 4 cases.csv > few.csv
    "$judder" batch beam.yaml --table few.csv -o other.h5 --restart -q 2> err || [ $? = 1 ] || fail "batch --restart: $(cat err)"
else
    fail "the batch was killed before its first case was kept"
fi
[ $failed = 0 ] && echo "what was killed goes on, with the same digits"
exit $failed
