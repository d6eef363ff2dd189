"""declare.py -- writes judder/_native.py: the C declarations of the public headers, as cffi keeps them.

    python3 declare.py INCLUDE_DIR CC OUTPUT.py

The declarations come out of the C preprocessor, so that nothing is written twice. What stands in
system headers is left out. The file that is written has no C in it: importing it parses nothing.
"""
import contextlib
import io
import os
import re
import subprocess
import sys


def preprocessed(include: str, compiler: str) -> str:
    """The declarations of judder/*.h, expanded; those of system headers are left out by their line marks."""
    command = [*compiler.split(), "-std=c17", "-E", "-I", include, os.path.join(include, "judder", "judder.h")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    kept, ours = [], False
    folder = os.path.realpath(os.path.join(include, "judder"))
    for line in text.splitlines():
        mark = re.match(r'# \d+ "(.*?)"', line)
        if mark:
            ours = os.path.realpath(mark.group(1)).startswith(folder + os.sep)
        elif ours and line.strip():
            kept.append(line)
    return "\n".join(kept).replace("_Bool", "bool")


def version(include: str) -> int:
    """JD_VERSION_NUMBER of the headers."""
    with open(os.path.join(include, "judder", "version.h"), encoding="utf-8") as file:
        numbers = re.findall(r"#define JD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read())
    major, minor, patch = map(int, numbers)
    return major * 10000 + minor * 100 + patch


def main(include: str, compiler: str, output: str) -> None:
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(preprocessed(include, compiler))
    ffi.set_source("judder._native", None)
    partial = output + ".part"
    with contextlib.redirect_stdout(io.StringIO()):  # cffi tells what it does
        ffi.emit_python_code(partial)
    with open(partial, "a", encoding="utf-8") as file:
        file.write(f"\nversion_number = {version(include)}  # of the headers\n")
    os.replace(partial, output)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
