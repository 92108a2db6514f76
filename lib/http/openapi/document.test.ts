import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { executionStatuses } from "#lib/contract/executions/statuses.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { makeDocument } from "./document.ts";

const document = makeDocument("https://flows.example.com");

interface Found {
  readonly path: readonly string[];
  readonly value: Json;
}

/** Every value in the document with its path, except inside examples. */
function* valuesWithin(value: Json, path: readonly string[] = []): Generator<Found> {
  yield { path, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key !== "example" && key !== "examples") yield* valuesWithin(child, [...path, key]);
  }
}

const all = [...valuesWithin(document)];
const pointer = (path: readonly string[]) =>
  path.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");

// Proves beyond.openapi-examples
it("every field and every parameter has a description", () => {
  const isField = ({ path }: Found) => path.at(-2) === "properties" || path.at(-2) === "parameters";
  const silent = all.filter(
    (found) =>
      isField(found) && !(isJsonObject(found.value) && ("description" in found.value || "$ref" in found.value)),
  );
  expect(silent.map(({ path }) => path.join("."))).toEqual([]);
});

// Proves beyond.openapi-examples
it("every example matches its schema", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "api");
  const withExamples = all.filter(({ value }) => isJsonObject(value) && "example" in value && "schema" in value);
  expect(withExamples.length).toBeGreaterThan(100);
  for (const { path, value } of withExamples) {
    const validate = ajv.compile({ $ref: `api#/${pointer([...path, "schema"])}` });
    const isValid = isJsonObject(value) && validate(value.example);
    expect([path.join("."), isValid, validate.errors]).toEqual([path.join("."), true, null]);
  }
});

it("no two paths differ only in their parameters' names, which OpenAPI forbids", () => {
  const { paths } = document;
  const shapes = Object.keys(isJsonObject(paths) ? paths : {}).map((path) => path.replace(/\{\w+\}/g, "{}"));
  expect(new Set(shapes).size).toBe(shapes.length);
});

it("every reference resolves", () => {
  const names = all.flatMap(({ value }) => (isJsonObject(value) && typeof value.$ref === "string" ? [value.$ref] : []));
  const at = (ref: string) =>
    ref
      .slice(2)
      .split("/")
      .reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), document);
  expect(names.filter((name) => at(name) === undefined)).toEqual([]);
});

it("trigger and resume URLs have their own server if TRIGGER_ORIGIN is set", () => {
  const there = "https://hooks.example.com/api/v1";
  const elsewhere = [...valuesWithin(makeDocument("https://flows.example.com", there))].flatMap(({ path, value }) =>
    path.at(-1) === "servers" && JSON.stringify(value) === JSON.stringify([{ url: there }]) ? [path.join(" ")] : [],
  );
  expect(elsewhere).toEqual(["paths /webhooks/{id} post servers", "paths /resume/{token} servers"]);
  expect(all.filter(({ path }) => path.at(-1) === "servers" && path.length > 1).map(({ path }) => path[1])).toEqual([
    "/health",
    "/metrics",
  ]);
});

it("every tag is listed once with its own description, and no other", () => {
  const tags = Array.isArray(document.tags) ? document.tags : [];
  const listed = tags.map((tag) => isJsonObject(tag) && tag.name);
  expect(tags.filter((tag) => !isJsonObject(tag) || tag.description === tag.name)).toEqual([]);
  const used = all.flatMap(({ path, value }) => (path.at(-1) === "tags" && path.length === 4 ? [value].flat() : []));
  expect([...listed].sort()).toEqual([...new Set(used)].sort());
});

it("no example looks like a schema with an example, which linters would check", () => {
  const examples = [...valuesWithin(document)].filter(({ path }) =>
    ["example", "examples"].includes(path.at(-1) ?? ""),
  );
  const within = examples.flatMap(({ path, value }) => [...valuesWithin(value, path)]);
  const taken = within.filter(({ value }) => isJsonObject(value) && "example" in value && "type" in value);
  expect(taken.map(({ path }) => path.join("."))).toEqual([]);
});

it("parameters do not allow values that only answers can have, such as null", () => {
  const parameters = all.filter(({ path, value }) => path.at(-2) === "parameters" && isJsonObject(value));
  expect(parameters.length).toBeGreaterThan(100);
  const mentioningNull = parameters.filter(
    ({ value }) => isJsonObject(value) && /\bnull\b/.test(String(value.description)),
  );
  expect(mentioningNull.map(({ path }) => path.join("."))).toEqual([]);
});

describe("for linters", () => {
  const operations = all.flatMap(({ path, value }) =>
    path[0] === "paths" &&
    path.length === 3 &&
    /^(get|put|post|patch|delete)$/.test(path[2] ?? "") &&
    isJsonObject(value)
      ? [{ name: path.slice(1).join(" "), ...value }]
      : [],
  );
  const lacking = (isThere: (operation: JsonObject) => boolean) =>
    operations.filter((operation) => !isThere(operation)).map(({ name }) => name);

  it("every operation has a summary, a description and a success answer", () => {
    expect(operations.length).toBeGreaterThan(100);
    expect(lacking(({ summary }) => typeof summary === "string" && summary !== "")).toEqual([]);
    expect(lacking(({ description }) => typeof description === "string" && description !== "")).toEqual([]);
    const succeeds = ({ responses }: JsonObject) => Object.keys(responses ?? {}).some((status) => /^2/.test(status));
    expect(lacking(succeeds)).toEqual([]);
  });

  it("there is a contact", () => {
    expect(document.info).toMatchObject({ contact: { url: "https://flows.example.com" } });
  });

  it("no schema has a keyword that JSON Schema lacks", () => {
    const known = new Set(
      ["type", "enum", "const", "format", "pattern", "title", "description", "default", "examples", "example"]
        .concat(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"])
        .concat(["minItems", "maxItems", "uniqueItems", "items", "prefixItems", "contains", "$ref", "writeOnly"])
        .concat(["properties", "required", "additionalProperties", "propertyNames", "patternProperties", "deprecated"])
        .concat(["allOf", "anyOf", "oneOf", "not", "discriminator", "contentEncoding", "contentMediaType"])
        .concat(["minProperties", "maxProperties"]),
    );
    const schemas = all.filter(({ path, value }) => isJsonObject(value) && isSchema(path));
    expect(schemas.length).toBeGreaterThan(1_000);
    const strange = schemas.flatMap(({ path, value }) =>
      Object.keys(value as JsonObject).flatMap((key) => (known.has(key) ? [] : [[...path, key].join(".")])),
    );
    expect(strange).toEqual([]);
  });

  /** A schema of a body or a parameter, of a field in one, or of an item. */
  function isSchema(path: readonly string[]): boolean {
    const [above, last] = path.slice(-2);
    if (path.includes("default")) return false;
    if (above === "properties" || ["schema", "items"].includes(last ?? "")) return last !== undefined;
    return path.length === 3 && path[0] === "components" && above === "schemas";
  }
});

describe("for code generators", () => {
  const schemas = isJsonObject(document.components) ? document.components.schemas : {};
  const named = (name: string) => JSON.stringify(isJsonObject(schemas) ? schemas[name] : undefined);

  it("every structured body of a request or a success has a name", () => {
    const unnamed = all.filter(
      ({ path, value }) =>
        path.at(-1) === "schema" &&
        path.at(-2) === "application/json" &&
        (path.includes("requestBody") || path.some((step) => /^2\d\d$/.test(step))) &&
        path[0] === "paths" &&
        isJsonObject(value) &&
        "properties" in value,
    );
    expect(unnamed.map(({ path }) => path.join("."))).toEqual([]);
  });

  it("no pattern needs a flag that generators do not set", () => {
    const patterns = all.flatMap(({ value }) =>
      isJsonObject(value) && typeof value.pattern === "string" ? [value.pattern] : [],
    );
    expect(patterns.filter((pattern) => /\\p\{/i.test(pattern))).toEqual([]);
  });

  it("known values of triggers, errors, statuses and alerts are listed", () => {
    expect(named("Trigger")).toContain('"authentication"');
    expect(named("NodeExecution")).toContain('"position"');
    for (const status of executionStatuses) expect(named("CountsByStatus")).toContain(`"${status}"`);
    expect(named("AlertEvent")).toContain('"alert.fired"');
    expect(JSON.stringify(document.webhooks)).toContain("AlertEvent");
  });

  it("a number is never an id, and the session's cookie has its real name", () => {
    const ids = all.filter(
      ({ value }) => isJsonObject(value) && value.type === "integer" && /\bid$/.test(String(value.description)),
    );
    expect(ids.map(({ path }) => path.join("."))).toEqual([]);
    expect(JSON.stringify(document.components)).toContain('"__Host-next-auth.session-token"');
    expect(JSON.stringify(makeDocument("http://localhost:3000").components)).toContain('"next-auth.session-token"');
  });

  it("every operation has an answer for an invalid request", () => {
    const operations = all.filter(({ path, value }) => path[0] === "paths" && path.length === 3 && isJsonObject(value));
    const silent = operations.filter(
      ({ value }) =>
        isJsonObject(value) &&
        isJsonObject(value.responses) &&
        !Object.keys(value.responses).some((status) => /^4/.test(status)),
    );
    expect(silent.map(({ path }) => path.join("."))).toEqual([]);
  });
});
