#!/bin/sh
# make.sh FOLDER -- the matrices of the blade by CalculiX (Debian package calculix-ccx), with its model beside them.
here=$(cd "$(dirname "$0")" && pwd) to=${1:?which folder?}
mkdir -p "$to" && cp "$here/blade.inp" "$here/blade.yaml" "$to" && cd "$to" || exit 1
ccx blade > blade.log 2>&1
[ -s blade.sti ] || { tail -5 blade.log; exit 1; }
