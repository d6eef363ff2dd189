#!/bin/sh
# lab.sh ROOT -- make lab and make test-lab ask for what is missing and for nothing else: Debian's npm cannot be installed beside Node.js of another source.
set -u
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/node" "$work/browser" "$work/tree/cmake" "$work/tree/lab/node_modules" "$work/tree/build/lab"
cp "$root/Makefile" "$work/tree/"
cp "$root"/cmake/packages*.txt "$root/cmake/deps.sh" "$work/tree/cmake/"
: > "$work/tree/lab/package.json"; : > "$work/tree/lab/package-lock.json"; : > "$work/tree/lab/node_modules/.package-lock.json"; : > "$work/tree/build/lab/index.html"
for tool in sh sed awk dirname env make git touch; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
fake() { printf '#!/bin/sh\n%s\n' "$2" > "$work/$1"; chmod +x "$work/$1"; }
# Whatever is not of the lab is installed; what is asked for is written down instead of being installed.
lab='nodejs|npm|chromium|fonts-dejavu-core'
fake bin/dpkg-query "case \$4 in $lab) exit 1 ;; esac; printf 'ii '"
fake bin/apt-get 'case $1 in install) shift; for word; do case $word in -*) ;; *) echo "asked $word" >&2 ;; esac; done ;; esac'
fake bin/id 'echo 0'
fake bin/cmake :
fake bin/ln :
fake bin/nproc 'echo 1'
fake node/node :
fake node/npm 'echo "npm $*" >&2'
fake browser/chromium :
failed=0
asked() { # asked GOAL FOLDERS EXPECTED: the packages asked for by a make of GOAL where these folders are in PATH
    (cd "$work/tree" && PATH="$work/bin$2" make -o build/judder -o deps "$1") > "$work/out" 2>&1
    got=$(awk '/^asked / { printf " %s", $2 }' "$work/out")
    [ "$got" = "$3" ] || { echo "FAILED: make $1 with PATH=bin$2 asked for '$got', not for '$3':"; cat "$work/out"; failed=1; }
}
node=:$work/node browser=:$work/browser
asked lab "$node" ""
asked lab "" " nodejs npm"
asked test-lab "$node" " chromium fonts-dejavu-core"
asked test-lab "$node$browser" ""
asked test-lab "$browser" " nodejs npm"
exit $failed
