"""schema.py -- the JSON Schema of the model file takes what the command takes, and refuses what cannot be."""
import copy
import json
import os
import random
import unittest
from pathlib import Path

import case
import jsonschema
import yaml


def schema():
    code, out, err = case.command("list", "--schema")
    assert code == 0, err
    return json.loads(out)


SCHEMA = schema()
CHECK = jsonschema.Draft202012Validator(SCHEMA)


def models():
    """Every model of the gallery, and the templates."""
    found = [(str(p), p.read_text()) for p in sorted(Path(case.GALLERY).glob("*/*.yaml"))]
    for name in json.loads(case.command("new", "--json")[1])["templates"]:
        name = name["name"] if isinstance(name, dict) else name
        found.append((name, case.command("new", name)[1]))
    return [(name, yaml.safe_load(text)) for name, text in found]


def keys(value, path=()):
    """Paths of all keys of maps."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield path + (k,)
            yield from keys(v, path + (k,))


def at(value, path):
    for k in path:
        value = value[k]
    return value


class Schema(unittest.TestCase):
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        self.assertGreater(len(SCHEMA["$defs"]), 40)

    def test_it_takes_every_model_of_the_gallery_and_every_template(self):
        count = 0
        for name, model in models():
            with self.subTest(model=name):
                errors = [e.message[:200] for e in CHECK.iter_errors(model)]
                self.assertEqual(errors, [])
                count += 1
        self.assertGreater(count, 45)

    def test_it_refuses_what_the_tests_of_bad_models_refuse(self):
        good = yaml.safe_load(Path(case.BEAM).read_text())
        bad = {
            "unknown key": ("structure", "lenght", 3),
            "unknown section": (None, "simulat", {"until": 1}),
            "unknown structure": ("structure", "type", "beem"),
            "a word for a whole number": ("structure", "elements", "many"),
            "a negative count": ("structure", "elements", -1),
            "another version": (None, "judder", 2),
            "a list for a map": (None, "contacts", [1, 2]),
            "no law": ("contacts", "tip", {"at": "tip"}),
            "an unknown law": ("contacts", "tip", {"at": "tip", "law": {"type": "colomb", "limit": 1}}),
            "restitution above 1": ("contacts", "tip", {"at": "tip", "law": {"type": "stop", "gap": 1, "restitution": 2}}),
        }
        for what, (section, key, value) in bad.items():
            model = copy.deepcopy(good)
            (model[section] if section else model)[key] = value
            self.assertFalse(CHECK.is_valid(model), what)
            change = f"{section + '.' if section else ''}{key}={json.dumps(value)}"
            self.assertNotEqual(case.command("check", case.BEAM, "--set", change)[0], 0, what)

    def test_what_it_refuses_the_command_refuses(self):
        """Models of the gallery with one key misspelled, left out or given another kind of value."""
        chance = random.Random(20261117)
        found = [(n, m) for n, m in models() if os.path.sep in n]
        refused = 0
        for _ in range(int(os.environ.get("JD_SCHEMA_DRAWS", "60"))):
            name, model = chance.choice(found)
            path = chance.choice(list(keys(model)))
            change = chance.choice(["drop", "misspell", [], "???", -3, {}])
            damaged = copy.deepcopy(model)
            parent = at(damaged, path[:-1])
            value = parent.pop(path[-1])
            if change == "misspell":
                parent[path[-1] + "x"] = value
            elif change != "drop":
                parent[path[-1]] = change
            if CHECK.is_valid(damaged):
                continue
            refused += 1
            file = Path(name).with_name(f".schema-test-{os.getpid()}.yaml")
            try:
                file.write_text(yaml.safe_dump(damaged, sort_keys=False))
                code, _, err = case.command("check", str(file))
            finally:
                file.unlink()
            self.assertNotEqual(code, 0, f"{name}: {'.'.join(map(str, path))} {change}: {err}")
        self.assertGreater(refused, 10)


if __name__ == "__main__":
    case.main()
