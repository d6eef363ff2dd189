#!/bin/sh
# completion.sh JUDDER -- what shells complete: every verb and every option that its help lists.
judder=$1
[ -x "$judder" ] || { echo "usage: completion.sh JUDDER"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
failed=0
fail() { echo "$1"; failed=1; }

for shell in bash zsh fish; do
    "$judder" completion "$shell" > "judder.$shell" || fail "completion $shell ends with $?"
    [ -s "judder.$shell" ] || fail "nothing for $shell"
    command -v "$shell" > /dev/null && { "$shell" -n "judder.$shell" || fail "$shell does not understand it"; }
done
"$judder" completion tcsh > out 2> err
[ $? -eq 2 ] || fail "an unknown shell should end with 2"
grep -q 'bash, zsh or fish' err || fail "no hint: $(cat err)"

complete() { # what bash offers for these words, the last one half-written
    bash -c '. ./judder.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _judder; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
"$judder" --help | sed -n 's/^  judder \([a-z]*\) .*/\1/p' > verbs
[ "$(wc -l < verbs)" -gt 10 ] || fail "no verbs found"
complete judder '' > offered
while read -r verb; do
    grep -qx "$verb" offered || fail "the verb $verb is not offered"
    "$judder" "$verb" --help | sed -n 's/^  *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' > options
    [ -s options ] || fail "$verb: no options found"
    complete judder "$verb" -- > given
    while read -r option; do
        grep -qxe "$option" given || fail "$verb: bash does not offer $option"
        grep -q "seen_subcommand_from $verb' -l ${option#--}" judder.fish || fail "$verb: fish does not offer $option"
    done < options
done < verbs
[ "$(complete judder ru)" = run ] || fail "ru does not become run"
exit $failed
