"""notebooks.py -- every notebook runs from its first cell to its last, as Jupyter would run it."""
import ast
import contextlib
import glob
import io
import json
import os
import unittest
import warnings

os.environ["MPLBACKEND"] = "Agg"
import case

FOLDER = os.path.join(case.SOURCE, "python", "notebooks")


def shown(value):
    """What Jupyter asks of the value of a last line."""
    if hasattr(value, "_repr_html_"):
        value._repr_html_()
    repr(value)


def run(path):
    """The cells in order; the value of a cell's last expression is shown."""
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    names = {"__name__": "__main__"}
    for number, cell in enumerate(book["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        where = f"{os.path.basename(path)}, cell {number}"
        exec(compile(tree, where, "exec"), names)  # pylint: disable=exec-used
        if last is not None:
            shown(eval(compile(ast.Expression(last.value), where, "eval"), names))  # pylint: disable=eval-used
    return book


class Notebooks(unittest.TestCase):
    def test_every_notebook_runs(self):
        paths = sorted(glob.glob(os.path.join(FOLDER, "*.ipynb")))
        self.assertEqual(len(paths), 3)
        here = os.getcwd()
        os.chdir(FOLDER)
        self.addCleanup(os.chdir, here)
        for path in paths:
            with self.subTest(os.path.basename(path)), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()) as out:
                warnings.simplefilter("ignore")
                book = run(path)
                self.assertTrue(out.getvalue())
                self.assertEqual([c["outputs"] for c in book["cells"] if c["cell_type"] == "code" and c["outputs"]], [])


if __name__ == "__main__":
    case.main()
