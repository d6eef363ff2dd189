"""guide.py -- every block of Python in docs/guide/python.md and README.md runs as it stands, in the order of the page."""
import contextlib
import io
import os
import re
import tempfile
import unittest
import warnings

os.environ.setdefault("MPLBACKEND", "Agg")
import case


class Guide(unittest.TestCase):
    def run_page(self, page, least):
        with open(os.path.join(case.SOURCE, page), encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
        self.assertGreaterEqual(len(blocks), least)
        here, names = os.getcwd(), {}
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("error")
            os.symlink(case.GALLERY, os.path.join(folder, "gallery"))
            os.chdir(folder)
            try:
                for block in blocks:
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(compile(block, page, "exec"), names)  # pylint: disable=exec-used
            finally:
                os.chdir(here)

    def test_the_guide(self):
        self.run_page("docs/guide/python.md", 6)

    def test_the_readme(self):
        self.run_page("README.md", 1)


if __name__ == "__main__":
    case.main()
