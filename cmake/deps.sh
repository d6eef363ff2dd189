#!/bin/sh
# deps.sh -- installs the Debian packages named in the given lists (cmake/packages.txt) that are missing.
# Says what it does; needs no root when nothing is missing; asks before it uses sudo (ASK=no: does not); off Debian it only says what is wanted.
set -eu
here=$(dirname "$0")
[ $# -gt 0 ] || set -- "$here/packages.txt"
wanted=$(sed -e 's/#.*//' "$@" | awk 'NF { print $1 }')

if ! command -v dpkg-query > /dev/null 2>&1; then
    for tool in cmake ninja pkg-config; do
        command -v $tool > /dev/null 2>&1 || lacking="${lacking:-} $tool"
    done
    [ -n "${lacking:-}" ] || exit 0
    echo "This is not Debian: please install what these Debian packages hold, and$lacking:" >&2
    echo "$wanted" | sed 's/^/    /' >&2
    exit 1
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null || true)
    case $state in ii*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null 2>&1; then
        echo "These Debian packages are missing and need root to install:$missing" >&2
        echo "Run as root: apt-get install$missing" >&2
        exit 1
    fi
    # Root's rights are asked for, never taken: on a terminal by a question, elsewhere by ASK=no.
    if [ "${ASK:-yes}" != no ]; then
        echo "These Debian packages are missing:$missing"
        if [ ! -t 0 ]; then
            echo "Installing them takes sudo. Run as root: apt-get install$missing" >&2
            echo "or let make do it without a question: make ASK=no" >&2
            exit 1
        fi
        printf 'Install them with sudo apt-get? [y/N] '
        read -r answer
        case $answer in [yY]*) ;; *) exit 1 ;; esac
    fi
    as_root=sudo
fi
echo "Installing Debian packages:$missing"
$as_root apt-get update -q > /dev/null || echo "apt-get update failed; going on with the package lists there are" >&2
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing > /dev/null
