#!/bin/sh
# deps.sh SCRIPT -- cmake/deps.sh in a world of its own: who is root, what is installed, is it Debian?
set -u
script=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/debian"
for tool in sh sed awk dirname cat env; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
failed=0
expect() { # expect CLAIM CODE PATTERN: of the last run
    [ "$code" -eq "$2" ] || { echo "FAILED: $1: exit code $code: $(cat "$work/out")"; failed=1; }
    grep -Eq -- "$3" "$work/out" || { echo "FAILED: $1: no '$3' in: $(cat "$work/out")"; failed=1; }
}
run() { PATH=$1 ASK=${2:-yes} sh "$script" "$work/list" > "$work/out" 2>&1 < /dev/null; code=$?; echo end >> "$work/out"; }
fake() { printf '#!/bin/sh\n%s\n' "$2" > "$work/$1"; chmod +x "$work/$1"; }
printf '# a list\nhere  needed\nabsent  needed too # why\n' > "$work/list"

run "$work/bin"
expect "off Debian it only says what is wanted" 1 '^    absent'
fake bin/cmake :; fake bin/ninja :; fake bin/pkg-config :
run "$work/bin"
expect "off Debian nothing is said when the tools are there" 0 '^end'

fake debian/dpkg-query '[ "$4" = here ] && printf "ii "'
fake debian/apt-get 'echo "apt-get $*" >&2'
fake debian/id 'echo 1000'
run "$work/bin:$work/debian"
expect "without root and sudo it says what to type" 1 'apt-get install absent$'
fake debian/sudo 'echo "sudo $*" >&2; exec "$@"'
run "$work/bin:$work/debian"
expect "sudo is not used unasked" 1 'make ASK=no$'
grep -q '^sudo' "$work/out" && { echo "FAILED: sudo was used unasked"; failed=1; }
for answer in n y; do # asked on a terminal, which `script` is
    command -v script > /dev/null || break
    echo $answer | ASK=yes PATH=$work/bin:$work/debian:$PATH script -qec "sh '$script' '$work/list'" /dev/null > "$work/out" 2>&1
    grep -q 'with sudo apt-get? ' "$work/out" || { echo "FAILED: no question: $(cat "$work/out")"; failed=1; }
    grep -q '^sudo env' "$work/out" && used=y || used=n
    [ $used = $answer ] || { echo "FAILED: answered $answer: $(cat "$work/out")"; failed=1; }
done
run "$work/bin:$work/debian" no
expect "sudo installs what is missing" 0 'sudo env DEBIAN_FRONTEND=noninteractive apt-get install .*--no-install-recommends absent$'
expect "and says so" 0 '^Installing Debian packages: absent$'
fake debian/id 'echo 0'
run "$work/bin:$work/debian"
expect "root needs no sudo" 0 '^apt-get install .* absent$'
grep -q sudo "$work/out" && { echo "FAILED: root called sudo"; failed=1; }
fake debian/apt-get 'echo "apt-get $*" >&2; [ "$1" = update ]'
run "$work/bin:$work/debian"
expect "a package that cannot be installed stops the build" 1 'install'
printf 'here\n' > "$work/list"
fake debian/id 'echo 1000'
run "$work/bin:$work/debian"
expect "nothing is done or said when nothing is missing" 0 '^end'
[ "$(cat "$work/out")" = end ] || { echo "FAILED: it spoke: $(cat "$work/out")"; failed=1; }
exit $failed
