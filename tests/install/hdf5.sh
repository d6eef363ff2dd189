#!/bin/sh
# hdf5.sh SOURCE_DIR -- CMake finds HDF5 where pkg-config does not know it, as on systems where it has no such file.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/pkg-config" <<'END'
#!/bin/sh
# pkg-config without HDF5
for word in "$@"; do case $word in *hdf5*) exit 1 ;; esac; done
exec /usr/bin/pkg-config "$@"
END
chmod +x "$work/pkg-config"
cmake -S "$1" -B "$work/build" -G Ninja -DJD_TESTS=OFF -DPKG_CONFIG_EXECUTABLE="$work/pkg-config" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -q '^-- HDF5: .*libhdf5' "$work/log" || { echo "HDF5 was not found by its own search"; cat "$work/log"; exit 1; }
