#!/usr/bin/env bash
# stages.sh -- what .ci/run and .ci/long both do. Read by them, in the project's folder.
export ASK=no # packages are installed without a question
jobs=$(nproc)
# Objects that were compiled before, in any folder, are taken from ccache where that is installed.
if command -v ccache > /dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

# Without AVX2, for the comparison of bits; without MPI, as clang-tidy 14 sees faults that are none
# in files that are compiled twice.
build_by_clang() {
    CC=clang cmake -S . -B build/warn-clang -G Ninja -DCMAKE_BUILD_TYPE=Release -DJD_WERROR=ON -DJD_PLAIN=ON -DJD_MPI=OFF -DJD_REDUCE=OFF > /dev/null
    cmake --build build/warn-clang -j "$jobs" -- --quiet
}

sources() { git ls-files 'src/*.c' 'cli/*.c' ':!cli/mpi' ':!cli/reduce'; }

files_of_commits() { # N: those of the sources that the last N commits to them touched
    git log "-$1" --name-only --format= -- 'src/*.c' 'cli/*.c' ':!cli/mpi' ':!cli/reduce' | sort -u | while read -r file; do
        if [ -f "$file" ]; then echo "$file"; fi
    done
}

tidy_quickly() { # every check but the analyser, the files on standard input
    xargs -r -P "$jobs" -n 4 clang-tidy -p build/warn-clang --quiet '-checks=-clang-analyzer-*' 2> /dev/null
}

tidy_mpi() {
    git ls-files 'cli/mpi/*.c' | xargs clang-tidy -p build/release --quiet 2> /dev/null
    if [ -x build/release/judder-reduce ]; then git ls-files 'cli/reduce/*.c' | xargs clang-tidy -p build/release --quiet 2> /dev/null; fi
}

tidy_fully() { # every check, the files on standard input
    xargs -r -P "$jobs" -n 1 clang-tidy -p build/warn-clang --quiet 2> /dev/null
}

# By the costs that `make test` has measured.
costs=build/release/Testing/Temporary/CTestCostData.txt
short_tests() { awk '/^---/ { exit } $3 < 1 { print $1 }' $costs; }
long_tests() { awk '/^---/ { exit } $3 >= 1 { print $1 }' $costs; }

sanitized_build() { # without the programs of these tests, names between semicolons
    cmake --preset asan -DJD_LEFT_OUT="$1" > /dev/null
    cmake --build --preset asan -j "$jobs" -- --quiet
}

# The tests on standard input under sanitizers, the longest first. Numbers of the gallery and bits
# of results are compared elsewhere, cli.run calls the same verbs; the claims on random models are
# those of `make test`: here an eighth of the models is drawn.
sanitized_tests() {
    mkdir -p build/asan/Testing/Temporary
    cp $costs build/asan/Testing/Temporary/
    JD_DRAWS=/8 ctest --preset asan -j "$jobs" -LE slow -E '^(gallery\.quick|cli\.bits)$' -R "^($(paste -sd '|'))\$"
}

# `make asan` has built library and command alike with sanitizers.
random_clients() {
    nm build/asan/judder | grep -c __asan_report_load > /dev/null # else nothing would be seen
    JUDDER_LAB_SECONDS=60 timeout 900 /usr/bin/python3 -B tests/cli/lab.py build/asan/judder .
    timeout 600 /usr/bin/python3 -B tests/cli/lab_shape.py build/asan/judder .
}
