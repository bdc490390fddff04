"""Holds what a node is asked and answers against src/api/openapi.json.

Every keyword of JSON Schema that the document uses is understood; any other is an error here, so that
nothing passes unseen. What was exercised is noted, for the test that asks whether all of it was.
"""
import json
import re
import urllib.parse

METHODS = ("get", "put", "post", "patch", "delete")
ANNOTATIONS = {"description", "summary", "example", "examples", "default", "title"}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$")
# Statuses of HTTP itself, which any request may get (info.description of the document).
PROTOCOL_STATUSES = {400, 404, 405, 408, 417, 431, 501, 503, 505}
UNDOCUMENTED = {"/v1/agents:watch"}  # answers 501 until it is there
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


class Violation(AssertionError):
    pass


def is_type(value, name):
    if isinstance(name, list):
        return any(is_type(value, each) for each in name)
    if name == "null":
        return value is None
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Violation(f"a member is given twice: {names}")
    return dict(pairs)


class Contract:
    def __init__(self, path):
        self.document = json.loads(path.read_text())
        self.exercised = set()  # (method, path template, status)
        self.fields_seen = set()  # pointers of schema properties and of parameters and headers
        self.routes = []
        for template, item in self.document["paths"].items():
            pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
            self.routes.append((re.compile(pattern), template, item))

    # ---- references ----
    def resolve(self, node, pointer):
        """Follows a $ref: what is there, and where."""
        while "$ref" in node:
            pointer = node["$ref"][1:]
            node = self.document
            for key in pointer.split("/")[1:]:
                node = node[key.replace("~1", "/").replace("~0", "~")]
        return node, pointer

    # ---- exchanges ----
    def find(self, method, path):
        if path in UNDOCUMENTED:
            return None
        for pattern, template, item in self.routes:
            if pattern.fullmatch(path):
                operation = item.get("get" if method == "HEAD" else method.lower())
                return operation and (template, item, operation)
        return None

    def check(self, method, target, fields, body, response):
        path, _, query = target.partition("?")
        found = self.find(method, path)
        if found is None:
            if response.status not in PROTOCOL_STATUSES:
                raise Violation(f"{method} {path} is not documented, but gives {response}")
            return
        template, item, operation = found
        if str(response.status) in operation["responses"]:
            self._check_response(method, template, operation, response)
        elif response.status not in PROTOCOL_STATUSES:
            raise Violation(f"{method} {template} may not give {response}")
        if response.status < 300:
            parameters = item.get("parameters", []) + operation.get("parameters", [])
            self._check_parameters(parameters, query, fields)
            self._check_request_body(operation, fields, body, response)

    def _check_response(self, method, template, operation, response):
        where = f"{method} {template} {response.status}"
        spec, pointer = self.resolve(operation["responses"][str(response.status)], where)
        self.exercised.add((method if method != "HEAD" else "GET", template, response.status))
        for name, header in spec.get("headers", {}).items():
            header, at = self.resolve(header, pointer + "/headers/" + name)
            value = response.headers.get(name.lower())
            if value is None:
                if header.get("required"):
                    raise Violation(f"{where}: the header {name} is missing")
                continue
            typed = int(value) if self.resolve(header["schema"], at)[0].get("type") == "integer" else value
            self.validate(typed, header["schema"], at, where + " " + name)
            self.fields_seen.add(at)
        media = response.headers["content-type"].split(";")[0]
        if media not in spec["content"]:
            raise Violation(f"{where}: the media type {media} is not documented")
        if method == "HEAD":
            return
        text = response.body.decode("utf-8")
        value = json.loads(text, object_pairs_hook=no_duplicates) if media.endswith("json") else text
        self.validate(value, spec["content"][media]["schema"], pointer, where)

    def _check_parameters(self, parameters, query, fields):
        sent = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        known = set()
        for parameter in parameters:
            parameter, at = self.resolve(parameter, "")
            name = parameter["name"]
            known.add((parameter["in"], name))
            value = {"query": sent, "header": fields}.get(parameter["in"], {}).get(name)
            if value is None:
                continue
            schema, schema_at = self.resolve(parameter["schema"], at)
            typed = json.loads(value) if schema.get("type") in ("integer", "boolean") else value
            self.validate(typed, schema, schema_at, "parameter " + name)
            self.fields_seen.add(at)
        for name in sent:
            if ("query", name) not in known:
                raise Violation(f"the parameter {name} was taken, but is not documented")

    def _check_request_body(self, operation, fields, body, response):
        """A body that was taken must be a documented one."""
        media = fields.get("Content-Type", "application/json")
        content = operation.get("requestBody", {}).get("content", {})
        where = "request " + operation["operationId"]
        if media == "application/x-ndjson" and response.json()["rejected"] == 0:
            for line in filter(None, body.split(b"\n")):
                self.validate(json.loads(line), {"$ref": "#/components/schemas/Report"}, "", where)
        elif media in content and not isinstance(body, bytes):
            self.validate(body, content[media]["schema"], "", where)

    # ---- schemas ----
    def validate(self, value, schema, pointer, where):
        schema, pointer = self.resolve(schema, pointer)
        for keyword, argument in schema.items():
            if keyword in ANNOTATIONS:
                continue
            check = getattr(self, "_" + keyword, None)
            if check is None:
                raise Violation(f"{pointer}: this test does not know the keyword {keyword}")
            problem = check(value, argument, schema, pointer, where)
            if problem:
                raise Violation(f"{where}: {problem}: {str(value)[:300]}")

    def _type(self, value, name, *_):
        return None if is_type(value, name) else f"not of type {name}"

    def _properties(self, value, properties, schema, pointer, where):
        if not isinstance(value, dict):
            return
        for name, part in value.items():
            if name in properties:
                at = f"{pointer}/properties/{name}"
                self.fields_seen.add(at)
                self.validate(part, properties[name], at, f"{where}/{name}")

    def _additionalProperties(self, value, allowed, schema, pointer, where):
        if not isinstance(value, dict):
            return None
        extra = [name for name in value if name not in schema.get("properties", {})]
        if allowed is False and extra:
            return f"members that are not documented, {extra}"
        if isinstance(allowed, dict):
            for name in extra:
                self.validate(value[name], allowed, pointer + "/additionalProperties", f"{where}/{name}")
        return None

    def _required(self, value, names, *_):
        missing = [name for name in names if isinstance(value, dict) and name not in value]
        return f"without {missing}" if missing else None

    def _items(self, value, items, schema, pointer, where):
        for at, part in enumerate(value if isinstance(value, list) else []):
            self.validate(part, items, pointer + "/items", f"{where}/{at}")

    def _oneOf(self, value, choices, schema, pointer, where):
        matches = 0
        for at, choice in enumerate(choices):
            try:
                self.validate(value, choice, f"{pointer}/oneOf/{at}", where)
                matches += 1
            except Violation:
                pass
        return None if matches == 1 else f"fits {matches} of the choices"

    def _enum(self, value, choices, *_):
        return None if value in choices else f"none of {choices}"

    def _minimum(self, value, bound, *_):
        return f"below {bound}" if is_type(value, "number") and value < bound else None

    def _maximum(self, value, bound, *_):
        return f"above {bound}" if is_type(value, "number") and value > bound else None

    def _minLength(self, value, bound, *_):
        return f"shorter than {bound}" if isinstance(value, str) and len(value) < bound else None

    def _maxLength(self, value, bound, *_):
        return f"longer than {bound}" if isinstance(value, str) and len(value) > bound else None

    def _minItems(self, value, bound, *_):
        return f"fewer than {bound}" if isinstance(value, list) and len(value) < bound else None

    def _maxItems(self, value, bound, *_):
        return f"more than {bound}" if isinstance(value, list) and len(value) > bound else None

    def _maxProperties(self, value, bound, *_):
        return f"more than {bound}" if isinstance(value, dict) and len(value) > bound else None

    def _pattern(self, value, pattern, *_):
        fits = not isinstance(value, str) or re.search(pattern, value)
        return None if fits else f"does not fit {pattern}"

    def _format(self, value, name, *_):
        if name == "date-time" and not INSTANT.match(value):
            return "no RFC 3339 instant"
        return None

    # ---- coverage ----
    def operations(self):
        for template, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield method.upper(), template, item, item[method]

    def documented(self):
        """Every (method, path template, status)."""
        return {(method, template, int(status)) for method, template, _, operation in self.operations()
                for status in operation["responses"]}

    def documented_fields(self):
        """Pointers of every named property, parameter and header of the components."""
        found = set()
        components = self.document["components"]
        for name, schema in components["schemas"].items():
            self._properties_below(schema, f"/components/schemas/{name}", found)
        found |= {f"/components/parameters/{name}" for name, parameter in components["parameters"].items()
                  if parameter["in"] != "path"}
        return found | {f"/components/headers/{name}" for name in components["headers"]}

    def _properties_below(self, schema, pointer, found):
        for name, part in schema.get("properties", {}).items():
            found.add(f"{pointer}/properties/{name}")
            self._properties_below(part, f"{pointer}/properties/{name}", found)
        if "items" in schema:
            self._properties_below(schema["items"], pointer + "/items", found)
