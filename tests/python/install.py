"""install.py -- `pip install .` puts down a package that works without the build folder."""
import os
import subprocess
import sys
import tempfile
import unittest

import case


class Install(unittest.TestCase):
    def test_pip_installs_a_package_that_works_alone(self):
        build = os.path.dirname(os.path.realpath(case.COMMAND))
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "tree")  # pip writes beside the sources
            names = ["pyproject.toml", "setup.py", "README.md", "LICENSE", "include", "python"]
            os.mkdir(copy)
            for name in names:
                os.symlink(os.path.join(case.SOURCE, name), os.path.join(copy, name))
            done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "-q",
                                   "--target", os.path.join(folder, "site"), copy], capture_output=True, text=True, check=False,
                                  env={**os.environ, "JUDDER_BUILD": build, "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            code = f"import judder; print(judder.__file__, judder.library_path, judder.load({case.BEAM!r}).run(until='2 periods').stop)"
            out = subprocess.run([sys.executable, "-c", code], cwd="/", capture_output=True, text=True, check=True,
                                 env={**os.environ, "PYTHONPATH": os.path.join(folder, "site")}).stdout.split()
            self.assertTrue(out[0].startswith(folder))
            self.assertTrue(out[1].startswith(folder) and not os.path.islink(out[1]))
            self.assertEqual(out[2], "end")
            self.assertFalse(os.path.exists(os.path.join(case.SOURCE, "python", "judder.egg-info")))


if __name__ == "__main__":
    case.main()
