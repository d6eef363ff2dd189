#!/bin/sh
# run.sh BUILD CC -- what `make install` puts down is enough: a program compiles against it, shared, static, by CMake.
set -eu
build=$1 cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/judder" > /dev/null
cd "$work"
for file in bin/judder include/judder/judder.h share/man/man1/judder.1 share/judder/model.schema.json share/bash-completion/completions/judder \
    share/zsh/site-functions/_judder share/fish/vendor_completions.d/judder.fish; do
    [ -f "judder/$file" ] || { echo "not installed: $file"; exit 1; }
done
PKG_CONFIG_PATH=$(dirname "$(find "$work/judder" -name judder.pc)")
export PKG_CONFIG_PATH
# The example of the documentation, against the shared library, the static one, and through CMake.
example=$here/../../docs/example/example.c
library=$(pkg-config --variable=libdir judder)
# Judder's own earlier output: what is tested is that the programs compile, link and run.
says() { LD_LIBRARY_PATH=$library "$1" | tail -n 1 | grep -q '^limit 0.66 N: stuck 19.0 %' || { echo "$1 says something else"; exit 1; }; }
# A program's own functions may be called as some inside the library are.
cat > own.c <<'END'
double dot(void), turn(void), impacts(void), scale(void), exact_basis(void);
double dot(void) { return 1; }
double turn(void) { return 2; }
double impacts(void) { return 3; }
double scale(void) { return 4; }
double exact_basis(void) { return 5; }
END
for file in "$library/libjudder.a" "$library/libjudder.so"; do
    dynamic=$([ "$file" = "$library/libjudder.so" ] && echo -D || echo -g)
    nm "$dynamic" --defined-only "$file" | awk 'NF == 3 && $3 !~ /^(jd_|\.gomp)/ { print "shown: " $3; bad = 1 } END { exit bad }' || exit 1
done
# Every header stands alone, in C and in C++; a C++ program finds the functions.
for header in judder/include/judder/*.h; do
    name=$(basename "$header")
    for as in "$cc -std=c17 -Wall -Wextra -Wpedantic -Werror -x c" "g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++"; do
        # shellcheck disable=SC2086
        echo "#include <judder/$name>" | $as -Ijudder/include -fsyntax-only - || { echo "$name does not stand alone: $as"; exit 1; }
    done
done
# shellcheck disable=SC2046
g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "$here/../../docs/example/matrices.cpp" -o cpp $(pkg-config --cflags --libs judder)
LD_LIBRARY_PATH=$library ./cpp | grep -q "^Judder $(pkg-config --modversion judder): 86 events in 20 periods$" || { echo "the C++ program says something else"; exit 1; }
for name in friction_beam bowed_string two_rods impact_chain; do
    # shellcheck disable=SC2046
    "$cc" -std=c17 -Wall -Wextra -Werror "$here/../../docs/example/$name.c" -o "$name" $(pkg-config --cflags --libs judder)
    LD_LIBRARY_PATH=$library "./$name" | grep -q . || { echo "$name says nothing"; exit 1; }
done
# shellcheck disable=SC2046
"$cc" -std=c17 -Wall -Wextra -Werror "$example" own.c -o shared $(pkg-config --cflags --libs judder)
says ./shared
# shellcheck disable=SC2046
"$cc" -std=c17 "$example" own.c -o static $(pkg-config --cflags judder) "$library/libjudder.a" $(pkg-config --libs --static judder | sed 's/-ljudder//')
ldd static | grep -q libjudder && { echo "the static program needs libjudder.so"; exit 1; }
says ./static
mkdir outside
cp "$example" outside/
cat > outside/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(outside C)
find_package(judder VERSION_OF_THE_HEADERS REQUIRED)
add_executable(outside example.c)
target_link_libraries(outside judder::judder)
END
sed -i "s/VERSION_OF_THE_HEADERS/$(pkg-config --modversion judder)/" outside/CMakeLists.txt
cmake -S outside -B outside/build -DCMAKE_PREFIX_PATH="$work/judder" -DCMAKE_C_COMPILER="$cc" > cmake.log && cmake --build outside/build >> cmake.log || { cat cmake.log; exit 1; }
says outside/build/outside
judder/bin/judder --version > out
grep -q "$(pkg-config --modversion judder)" out || { echo "the command and judder.pc differ: $(cat out)"; exit 1; }
[ "$(pkg-config --variable=prefix judder | xargs realpath)" = "$(realpath judder)" ] || { echo "judder.pc points elsewhere"; exit 1; }
