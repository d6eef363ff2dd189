"""version.py -- one version in all places, and a CITATION.cff that readers of the format take: version.py SOURCE_DIR [COMMAND]

The version stands in include/judder/version.h; CMake, judder.pc, setup.py and the command read it from there. What cannot read a
header is compared here: the changelog, CITATION.cff, the page of the lab, the Debian package, the guide.
"""
import datetime
import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import yaml

HERE = Path(sys.argv[1])
failed = []


def same(place, found, wanted):
    if found != wanted:
        failed.append(f"{place} says {found}, include/judder/version.h makes it {wanted}")


def text(path):
    return (HERE / path).read_text(encoding="utf-8")


# The parts of the schema of the Citation File Format 1.2.0 that this file uses: a key it does not know is an error, as there.
PERSON = {"type": "object", "additionalProperties": False, "required": ["family-names"],
          "properties": {"family-names": {"type": "string", "minLength": 1}, "given-names": {"type": "string", "minLength": 1},
                         "orcid": {"type": "string", "pattern": r"^https://orcid\.org/[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$"}}}
ENTITY = {"type": "object", "additionalProperties": False, "required": ["name"],
          "properties": {"name": {"type": "string", "minLength": 1}, "website": {"type": "string", "pattern": "^https?://"}}}
AUTHORS = {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"anyOf": [PERSON, ENTITY]}}
REFERENCE = {"type": "object", "additionalProperties": False, "required": ["type", "title", "authors"],
             "properties": {"type": {"enum": ["article", "book", "conference-paper", "report", "software", "thesis"]},
                            "title": {"type": "string", "minLength": 1}, "authors": AUTHORS, "year": {"type": "integer"},
                            "journal": {"type": "string"}, "volume": {"type": ["integer", "string"]},
                            "doi": {"type": "string", "pattern": r"^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-\.\(\)\[\]\\]+$"}}}
CITATION = {"type": "object", "additionalProperties": False, "required": ["cff-version", "message", "title", "authors"],
            "properties": {"cff-version": {"const": "1.2.0"}, "message": {"type": "string", "minLength": 1},
                           "title": {"type": "string", "minLength": 1}, "type": {"enum": ["software", "dataset"]},
                           "license": {"const": "Apache-2.0"}, "version": {"type": "string", "minLength": 1},
                           "date-released": {"type": "string", "format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
                           "abstract": {"type": "string", "minLength": 1}, "authors": AUTHORS,
                           "keywords": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string", "minLength": 1}},
                           "references": {"type": "array", "minItems": 1, "uniqueItems": True, "items": REFERENCE}}}


def citation():
    """The file with dates as texts, as the schema of the format has them."""
    found = yaml.safe_load(text("CITATION.cff"))
    return {k: v.isoformat() if isinstance(v, datetime.date) else v for k, v in found.items()}


def releases():
    """[(version, date)] of the changelog, newest first."""
    return re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", text("CHANGELOG.md"), re.M)


version = ".".join(re.findall(r"#define JD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text("include/judder/version.h")))
cited = citation()
for error in jsonschema.Draft7Validator(CITATION).iter_errors(cited):
    failed.append(f"CITATION.cff: {'.'.join(map(str, error.path))}: {error.message}")
# The check can fail: without a key, with one too many, with a date that is none.
for damage in ({"title": None}, {"titel": "x"}, {"date-released": "18.11.2026"}, {"authors": []}, {"cff-version": 1.2}):
    damaged = {k: v for k, v in {**cited, **damage}.items() if v is not None}
    if jsonschema.Draft7Validator(CITATION).is_valid(damaged):
        failed.append(f"the check of CITATION.cff takes {damage}")

listed = releases()
same("CHANGELOG.md", listed[0][0] if listed else "nothing", version)
headings = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.M)
if [h for h in headings if h != "[Unreleased]"] != [f"[{v}] - {d}" for v, d in listed]:
    failed.append("CHANGELOG.md: headings are `## [1.2.3] - 2026-01-31`, or `## [Unreleased]`")
if listed != sorted(listed, key=lambda r: [int(n) for n in r[0].split(".")], reverse=True) or len(set(listed)) != len(listed):
    failed.append("CHANGELOG.md: releases stand newest first, each once")
same("CITATION.cff", cited.get("version"), version)
if listed and cited.get("date-released") != listed[0][1]:
    failed.append(f"CITATION.cff: date-released is {cited.get('date-released')}, in the changelog {listed[0][1]}")
same("lab/package.json", json.loads(text("lab/package.json"))["version"], version)
lock = json.loads(text("lab/package-lock.json"))
same("lab/package-lock.json", lock["version"], version)
same("lab/package-lock.json, packages", lock["packages"][""]["version"], version)
same("SECURITY.md", re.findall(r"^\| (\d+\.\d+)\.x \| yes \|$", text("SECURITY.md"), re.M), [version.rsplit(".", 1)[0]])
if (HERE / "debian" / "changelog").exists():
    same("debian/changelog", re.match(r"judder \((.*?)(?:-\d+)?\) ", text("debian/changelog"))[1], version)
if len(sys.argv) > 2:
    said = subprocess.run([sys.argv[2], "--version"], capture_output=True, text=True, check=True).stdout
    same("judder --version", said.strip(), f"judder {version}")
# Nobody else writes a version of Judder down.
for page in [*HERE.glob("*.md"), *HERE.glob("docs/**/*.md"), HERE / "pyproject.toml", HERE / "docs" / "judder.1"]:
    if page.name not in ("CHANGELOG.md", "SECURITY.md"):
        for found in re.findall(r"(?i)\bjudder (?:version )?v?(\d+\.\d+\.\d+)\b", page.read_text(encoding="utf-8")):
            same(page.relative_to(HERE), found, version)
print("\n".join(failed))
sys.exit(bool(failed))
