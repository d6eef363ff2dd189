#!/bin/sh
# debian.sh SOURCE_DIR -- the Debian package asks for the packages that the build needs, and no others.
set -u
cd "$1" || exit 2
failed=0
fail() { echo "$1"; failed=1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Of packages.txt: compilers and the C library are always there; those for tests and pictures are not needed to build.
sed -e 's/#.*//' cmake/packages.txt | grep -v -e ' tests*\( only\)*$' -e ', in a test$' -e ', tests only$' -e ' pictures$' |
    awk 'NF { print $1 }' | grep -vxE 'gcc|g\+\+|libc6-dev' | sort > "$work/needed"
awk '/^Build-Depends:/ { on = 1 } /^$/ { on = 0 } on' debian/control | tr ',' '\n' | grep -v '<!nocheck>' |
    sed 's/^Build-Depends://; s/(.*//; s/ //g' | grep -vx -e debhelper-compat -e '' | sort > "$work/asked"
diff "$work/needed" "$work/asked" || fail "debian/control and cmake/packages.txt differ (< needed, > asked for)"
# The library's package is named after what programs link: libjudder.so.MAJOR.MINOR.
minor=$(sed -n 's/^#define JD_VERSION_M[AI][JN]OR //p' include/judder/version.h | paste -sd.)
grep -qx "Package: libjudder$minor" debian/control || fail "debian/control: no package libjudder$minor"
[ -f "debian/libjudder$minor.install" ] || fail "no debian/libjudder$minor.install"
# Debian's zsh looks there, and not into site-functions.
grep -qx 'usr/share/zsh/site-functions/_judder usr/share/zsh/vendor-completions' debian/judder.install || fail "debian/judder.install: no completion for zsh"
[ -x debian/rules ] || fail "debian/rules is no program"
exit $failed
