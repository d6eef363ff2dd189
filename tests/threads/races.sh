#!/bin/sh
# races.sh [FOLDER] -- builds the command with clang's ThreadSanitizer and runs what has threads: sweeps (a grid, carried chains, random starts), attractors
#   of random starts, families of nonsmooth modes. Clean: exit 0. About four minutes on two cores, most of them compiling.
#   LLVM's libarcher tells the sanitizer what OpenMP's barriers and locks order (Debian: libomp-14-dev); OpenBLAS is kept to one thread, as the command does.
cd "$(dirname "$0")/../.." || exit 1
folder=${1:-build/tsan}
CC=clang cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DJD_TESTS=OFF -DCMAKE_C_FLAGS='-fsanitize=thread -g' > /dev/null &&
    cmake --build "$folder" -j "$(nproc)" --target judder-command -- --quiet || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
archer=$(clang -print-file-name=libarcher.so)
failed=0
look() { # a command of judder: no report
    TSAN_OPTIONS="exitcode=66 halt_on_error=0 ignore_noninstrumented_modules=1" OMP_TOOL_LIBRARIES=$archer OPENBLAS_NUM_THREADS=1 \
        "$folder/judder" "$@" --threads 8 --quiet --json > "$work/out" 2> "$work/err" < /dev/null
    code=$?
    [ $code -lt 2 ] && ! grep -q 'WARNING: ThreadSanitizer' "$work/err" && { echo "clean: $*"; return; }
    failed=$((failed + 1))
    echo "FAILED ($code): $*"
    head -40 "$work/err"
}
look sweep gallery/friction-beam/map.yaml --set 'sweep.points=[4,4]' -o "$work/map.h5"
look sweep gallery/friction-beam/bifurcation.yaml --set sweep.points=6
look sweep gallery/impact-oscillator/hysteresis.yaml
look orbit gallery/impact-oscillator/forced.yaml --starts 12
look nsm gallery/impact-chain/n5.yaml
look follow gallery/impact-oscillator/response.yaml
exit $failed
