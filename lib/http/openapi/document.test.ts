import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import { fieldWords } from "#lib/contract/field-words.ts";
import { isJsonObject, type Json } from "#lib/engine/json.ts";
import { makeDocument } from "./document.ts";

const document = makeDocument("https://flows.example.com");

interface Found {
  readonly path: readonly string[];
  readonly value: Json;
}

/** Everything in the document, with the way to it; what stands in examples is data. */
function* everything(value: Json, path: readonly string[] = []): Generator<Found> {
  yield { path, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key !== "example" && key !== "examples") yield* everything(child, [...path, key]);
  }
}

const all = [...everything(document)];
const pointer = (path: readonly string[]) =>
  path.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");

it("every field and every parameter has words, of its own or in lib/contract/words", () => {
  const isField = ({ path }: Found) => path.at(-2) === "properties" || path.at(-2) === "parameters";
  const silent = all.filter(
    (found) =>
      isField(found) && !(isJsonObject(found.value) && ("description" in found.value || "$ref" in found.value)),
  );
  expect(silent.map(({ path }) => path.join("."))).toEqual([]);
});

it("no words are of what is not there", () => {
  const told = new Set(all.flatMap(({ value }) => (isJsonObject(value) ? [value.description] : [])));
  expect(Object.entries(fieldWords).filter(([, words]) => !told.has(words))).toEqual([]);
});

it("every example is as its schema says", () => {
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

it("no two paths are the same but for the names of their parameters, which OpenAPI forbids", () => {
  const { paths } = document;
  const shapes = Object.keys(isJsonObject(paths) ? paths : {}).map((path) => path.replace(/\{\w+\}/g, "{}"));
  expect(new Set(shapes).size).toBe(shapes.length);
});

it("every reference leads somewhere", () => {
  const names = all.flatMap(({ value }) => (isJsonObject(value) && typeof value.$ref === "string" ? [value.$ref] : []));
  const at = (ref: string) =>
    ref
      .slice(2)
      .split("/")
      .reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), document);
  expect(names.filter((name) => at(name) === undefined)).toEqual([]);
});
