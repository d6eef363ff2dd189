"""setup.py -- builds the package for pip: the library by CMake, declarations and parts by the target `python`.

JUDDER_BUILD names a build folder that is there already; else build/pip is made.
"""
import os
import re
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))


def version():
    """The version stands in a public header."""
    with open(os.path.join(HERE, "include", "judder", "version.h"), encoding="utf-8") as file:
        return ".".join(re.findall(r"#define JD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read()))


class Build(build_py):
    """The Python files, and beside them what is made from the C library."""

    def run(self):
        super().run()
        folder = os.environ.get("JUDDER_BUILD") or os.path.join(HERE, "build", "pip")
        if not os.environ.get("JUDDER_BUILD"):
            subprocess.run(["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DJD_TESTS=OFF",
                            f"-DJD_PYTHON={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "python"], check=True)
        target = os.path.join(self.build_lib, "judder")
        for name in ("_native.py", "parts.py", "libjudder.so", "py.typed"):
            shutil.copy(os.path.join(folder, "python", "judder", name), os.path.join(target, name))


class Platform(Distribution):
    """Holds a library: a wheel of this platform only."""

    def has_ext_modules(self):
        return True


os.makedirs(os.path.join(HERE, "build"), exist_ok=True)
setup(version=version(), cmdclass={"build_py": Build}, distclass=Platform,
      options={"egg_info": {"egg_base": "build"}, "build": {"build_base": os.path.join("build", "setuptools")},
               "bdist_wheel": {"py_limited_api": False}})
