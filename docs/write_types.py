"""Write the types of the messages between page and server: `python docs/write_types.py`.

They come from the routes' schemas and from those of the sockets. The page's modules name them in
comments; a test fails if the file is stale.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from meeple.server.analysis import routes as analysis
from meeple.server.app import create_app
from meeple.server.play import messages
from meeple.server.play.answers import TableAnswer
from meeple.server.settings import STATIC, ServerSettings

FILE = STATIC / "js" / "types.d.ts"
HEAD = "// The messages between page and server, written by docs/write_types.py from the schemas.\n"
SOCKETS: Mapping[str, Any] = {
    "ToTable": messages.Watch | messages.Message,
    "FromTable": TableAnswer,
    "ToAnalysis": analysis.Message,
}
REF = "#/components/schemas/{model}"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def type_of(schema: Mapping[str, Any]) -> str:
    """Return the TypeScript type of a JSON schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(map(type_of, schema[key])))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
        inner = type_of(schema.get("items", {}))
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'any'}>"
    return "null" if kind == "null" else SIMPLE.get(str(kind), "any")


def interface(name: str, schema: Mapping[str, Any]) -> str:
    """Return the declaration of a model."""
    if "properties" not in schema:
        return f"export type {name} = {type_of(schema)};\n"
    required = schema.get("required", ())
    fields = [
        f"  {key}{'' if key in required else '?'}: {type_of(field)};"
        for key, field in schema["properties"].items()
    ]
    if schema.get("additionalProperties") is True:
        fields.append("  [other: string]: any;")
    return "\n".join([f"export interface {name} {{", *fields, "}\n"])


def by_path(name: str, types: Mapping[str, str]) -> str:
    lines = [f'  "{path}": {kind};' for path, kind in sorted(types.items())]
    return "\n".join([f"export interface {name} {{", *lines, "}\n"])


def types_text() -> str:
    """Return the contents of the file."""
    api = create_app(ServerSettings()).openapi()
    models = dict(api["components"]["schemas"])
    unions = {}
    for name, union in SOCKETS.items():
        schema = TypeAdapter(union).json_schema(ref_template=REF)
        models |= schema.pop("$defs", {})
        unions[name] = f"export type {name} = {type_of(schema)};\n"
    bodies, answers = {}, {}
    for path, methods in api["paths"].items():
        for method, route in methods.items():
            sent = route.get("requestBody", {}).get("content", {}).get("application/json")
            if sent:
                bodies[path] = type_of(sent["schema"])
            found = route["responses"].get("200", {}).get("content", {}).get("application/json")
            kind = type_of(found["schema"]) if found else "any"
            if method == "get" and kind not in ("any", "Record<string, any>"):
                answers[path] = kind
    parts = [interface(name, schema) for name, schema in sorted(models.items())]
    tables = [by_path("Bodies", bodies), by_path("Answers", answers)]
    return "\n".join([HEAD, *parts, *unions.values(), *tables])


if __name__ == "__main__":
    FILE.write_text(types_text())
