"""declarations.py -- what Python knows of the C headers is what they say now: sizes, members, constants, functions."""
import os
import subprocess
import sys
import tempfile
import unittest

import case
import judder
from judder import _native
from judder._library import ffi, lib

PYTHON = os.path.join(case.SOURCE, "python")
INCLUDE = os.path.join(case.SOURCE, "include")
PACKAGE = os.path.dirname(judder.__file__)


class Declarations(unittest.TestCase):
    def test_the_package_holds_the_declarations_of_the_headers(self):
        with tempfile.TemporaryDirectory() as folder:
            fresh = os.path.join(folder, "_native.py")
            subprocess.run([sys.executable, os.path.join(PYTHON, "declare.py"), INCLUDE, "cc", fresh], check=True)
            with open(fresh, encoding="utf-8") as one, open(_native.__file__, encoding="utf-8") as other:
                self.assertEqual(one.read(), other.read(), "make python")

    def test_the_parts_are_those_of_the_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in os.listdir(PACKAGE):
                if name.endswith((".py", ".so")) and name != "parts.py":
                    os.symlink(os.path.realpath(os.path.join(PACKAGE, name)), os.path.join(folder, name))
            subprocess.run([sys.executable, os.path.join(PYTHON, "describe.py"), folder], check=True)
            with open(os.path.join(folder, "parts.py"), encoding="utf-8") as one, \
                    open(os.path.join(PACKAGE, "parts.py"), encoding="utf-8") as other:
                self.assertEqual(one.read(), other.read(), "make python")

    def test_the_sources_of_the_package_are_those_of_the_tree(self):
        for name in os.listdir(os.path.join(PYTHON, "judder")):
            if name.endswith(".py"):
                with open(os.path.join(PYTHON, "judder", name), encoding="utf-8") as one, \
                        open(os.path.join(PACKAGE, name), encoding="utf-8") as other:
                    self.assertEqual(one.read(), other.read(), name)

    def test_a_compiler_sees_the_same_sizes_and_constants(self):
        lines, want = [], []
        for name in ffi.list_types()[0]:
            kind = ffi.typeof(name)
            if not name.startswith("jd_") or kind.kind not in ("struct", "enum"):
                continue
            if kind.kind == "enum":
                for value, constant in kind.elements.items():
                    lines.append(f'printf("{constant} %lld\\n", (long long){constant});')
                    want.append(f"{constant} {value}")
                continue
            if kind.fields is None:
                continue  # opaque
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            want.append(f"{name} {ffi.sizeof(kind)}")
            for member, field in kind.fields:
                lines.append(f'printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));')
                want.append(f"{name}.{member} {field.offset} {ffi.sizeof(field.type)}")
        self.assertGreater(len(want), 700)
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "sizes.c"), os.path.join(folder, "sizes")
            with open(source, "w", encoding="ascii") as file:
                file.write("#include <judder/judder.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n")
                file.write("\n".join(lines) + "\nreturn 0;\n}\n")
            subprocess.run(["cc", "-std=c17", "-I", INCLUDE, source, "-o", program], check=True)
            got = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(got, want)

    def test_every_function_is_in_the_library(self):
        names = [n for n in dir(lib) if n.startswith("jd_")]
        self.assertGreater(len(names), 150)
        for name in names:
            getattr(lib, name)  # ffi.error when it is not there

    def test_the_import_takes_little_time(self):
        code = "import time; t = time.perf_counter(); import judder; print(time.perf_counter() - t)"
        times = [float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
                 for _ in range(5)]
        self.assertLess(min(times), 0.3 if os.getloadavg()[0] < 1.5 else 2.0, times)  # a busy machine takes longer


if __name__ == "__main__":
    case.main()
