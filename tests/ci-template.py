#!/usr/bin/env python3
"""ci-template.py - looks into a template of doc/ci.

    ci-template.py valid SCHEMA FILE     is it valid by the JSON schema? What is wrong with it goes to stderr, status 1
    ci-template.py script FILE           prints the shell script that fuzzes
    ci-template.py reports FILE          prints the names under which it uploads reports, a line each
"""
import json
import sys

import yaml


class Loader(yaml.SafeLoader):
    """`on` is a name, not the YAML 1.1 truth."""


Loader.yaml_implicit_resolvers = {c: [r for r in rs if r[0] != "tag:yaml.org,2002:bool"] for c, rs in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(?:true|false)$"), list("tf"))


def load(path):
    with open(path) as f:
        return yaml.load(f, Loader)


def steps(template):
    return template["jobs"]["fuzz"]["steps"]


def script(template):
    if "jobs" in template:
        return next(s["run"] for s in steps(template) if s.get("name") == "Fuzz")
    return "\n".join(template["warpfuzz"]["script"])


def reports(template):
    if "jobs" not in template:
        return [template["warpfuzz"]["artifacts"]["reports"]["junit"]]
    return [s["with"]["sarif_file"] for s in steps(template) if s.get("uses", "").startswith("github/codeql-action/upload-sarif@")]


def valid(schema, path):
    import jsonschema
    with open(schema) as f:
        schema = json.load(f)
    errors = list(jsonschema.validators.validator_for(schema)(schema).iter_errors(load(path)))
    for e in errors:
        print("%s: %s: %s" % (path, "/".join(map(str, e.absolute_path)), e.message[:300]), file=sys.stderr)
    return 1 if errors else 0


def main():
    if sys.argv[1] == "valid":
        return valid(sys.argv[2], sys.argv[3])
    for line in [script(load(sys.argv[2]))] if sys.argv[1] == "script" else reports(load(sys.argv[2])):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
