#!/bin/sh
# run.sh BUILD CC -- what `make install` puts down is enough: a program of ten lines compiles against it.
set -eu
build=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/judder" > /dev/null
cd "$work"
for file in bin/judder include/judder/judder.h share/man/man1/judder.1; do
    [ -f "judder/$file" ] || { echo "not installed: $file"; exit 1; }
done
PKG_CONFIG_PATH=$(dirname "$(find "$work/judder" -name judder.pc)")
export PKG_CONFIG_PATH
cat > prog.c <<'END'
#include <judder/judder.h>
#include <stdio.h>
int main(void) {
    jd_context *context = jd_context_create(NULL);
    double mass = 1, spring = 4;
    jd_chain_def def = {.count = 1, .mass = {1, &mass}, .stiffness = {1, &spring}, .supports = {JD_FIXED, JD_FREE}};
    def.damping.type = NULL;
    jd_structure *chain = NULL;
    jd_mode mode;
    if (jd_structure_create(context, jd_type_find(jd_structure_types(), "chain"), &def, &chain) != JD_OK) {
        puts(jd_context_error(context)->message);
        return 1;
    }
    jd_structure_mode_list(chain, &mode);
    printf("%.15g\n", mode.omega);
    jd_structure_free(chain);
    jd_context_free(context);
    return 0;
}
END
# shellcheck disable=SC2046
"$cc" -std=c17 -Wall -Wextra -Werror prog.c -o prog $(pkg-config --cflags --libs --static judder)
library=$(pkg-config --variable=libdir judder)
[ "$(LD_LIBRARY_PATH=$library ./prog)" = 2 ] || { echo "the program does not find omega = sqrt(4/1) = 2"; exit 1; }
judder/bin/judder --version > out
grep -q "$(pkg-config --modversion judder)" out || { echo "the command and judder.pc differ: $(cat out)"; exit 1; }
[ "$(pkg-config --variable=prefix judder | xargs realpath)" = "$(realpath judder)" ] || { echo "judder.pc points elsewhere"; exit 1; }
