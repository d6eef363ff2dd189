"""grey.py -- what a legend names is told apart in grey print, by weight, dashes, marks or width: grey.py GALLERY

Looks at every SVG picture of the gallery; panel by panel, each two entries of a legend.
"""
import itertools
import pathlib
import re
import sys

# Told apart by where they are drawn: both sides of zero, inside and outside of a circle.
BY_PLACE = [{"sliding +", "sliding −"}, {"dies out", "grows"}, {"on it", "off it"}, {"sliding −", "open"}, {"sliding +", "open"}]
GROUP = re.compile(r'<g id="gnuplot_plot_\d+([a-z]+)" ><title>(.*?)</title>(.*?)(?=<g id="gnuplot_plot_|\Z)', re.S)
COLOUR = re.compile(r"(?:stroke|fill|color) ?= ?['\"]rgb\( *(\d+), *(\d+), *(\d+)\)")


def look(body):
    """Grey from 0 to 1, dashes, mark and width of the sample in the legend, which comes first."""
    body = body[body.index("</text>"):]
    red, green, blue = (int(c) / 255 for c in COLOUR.search(body).groups())
    width = float(re.search(r'stroke-width="([\d.]+)"', body).group(1))
    sample = body[:body.index("/>")]
    dashes = re.search(r"stroke-dasharray='([\d.,]+)'", sample)
    mark = re.search(r"#(gpPt\d+)", sample)
    area = "polygon" in sample
    return 0.299 * red + 0.587 * green + 0.114 * blue, dashes and dashes.group(1), mark and mark.group(1), area, width


def size(body):
    """Of the marks, in pixels."""
    scale = re.search(r"scale\(([\d.]+)\)", body)
    return float(scale.group(1)) if scale else 0


def alike(a, b):
    wide, narrow = max(a[4], b[4]), min(a[4], b[4])
    return abs(a[0] - b[0]) < 0.15 and a[1:4] == b[1:4] and wide < 1.4 * narrow


def faults(path):
    panels = {}
    for panel, label, body in GROUP.findall(path.read_text(encoding="utf-8")):
        if not label.startswith("gnuplot_plot") and "</text>" in body:
            panels.setdefault(panel, []).append((label, look(body), size(body)))
    for entries in panels.values():
        for (one, a, s), (two, b, t) in itertools.combinations(entries, 2):
            marks = a[2] and max(s, t) >= 1.4 * min(s, t)
            if alike(a, b) and not marks and {one, two} not in BY_PLACE:
                yield f"{path}: `{one}` and `{two}` look alike in grey"


def main():
    pictures = sorted(pathlib.Path(sys.argv[1]).glob("*/*.svg"))
    found = [text for path in pictures for text in faults(path)]
    print("\n".join(found) or f"{len(pictures)} pictures")
    return 1 if found or len(pictures) < 50 else 0


sys.exit(main())
