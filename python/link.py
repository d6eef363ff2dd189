"""link.py -- tells this interpreter where the package is: one line in a file of the user's site-packages.

    python3 link.py FOLDER        (that holds judder/)
"""
import os
import site
import subprocess
import sys


def main(folder: str) -> None:
    folder = os.path.abspath(folder)
    target = site.getusersitepackages()
    os.makedirs(target, exist_ok=True)
    link = os.path.join(target, "judder.pth")
    with open(link, "w", encoding="utf-8") as file:
        file.write(folder + "\n")
    found = subprocess.run([sys.executable, "-c", "import judder; print(judder.__file__)"], cwd="/", check=True,
                           capture_output=True, text=True).stdout.strip()
    if os.path.dirname(os.path.dirname(os.path.realpath(found))) != os.path.realpath(folder):
        sys.exit(f"`import judder` finds {found} first: take it away, or set PYTHONPATH={folder}")
    print(f"`import judder` works in {sys.executable}: {link} names {folder}; remove that file to undo it")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
