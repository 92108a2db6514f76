import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allNodes } from "./all.ts";
import { findConfigProblems, nodeConfigSchema, nodeManifests, nodeTypes } from "./registry.ts";

type Schema = z.core.JSONSchema._JSONSchema;

/** Fields of a JSON Schema, at any depth, without a title or description for the form. */
function bareFields(schema: Schema, path = ""): string[] {
  if (typeof schema !== "object") return [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = `${path}${name}`;
    const isBare = typeof field !== "object" || !field.title || !field.description;
    return [...(isBare ? [at] : []), ...bareFields(field, `${at}.`)];
  });
  const items =
    schema.items === undefined ? [] : [schema.items].flat().flatMap((item) => bareFields(item, `${path}[].`));
  return [...fields, ...items];
}

/** The lines of the Tabler icon of this name, concatenated. */
function tablerPath(name: string): string {
  const file = `Icon${name.replace(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase())}.mjs`;
  const text = readFileSync(join("node_modules/@tabler/icons-react/dist/esm/icons", file), "utf8");
  return [...text.matchAll(/"d": "([^"]+)"/g)].map(([, lines]) => lines).join("");
}

describe.each(allNodes.map((node) => [node.type, node] as const))("the node type %s", (type, node) => {
  test("has an example that is valid and can run", () => {
    expect(nodeConfigSchema(type)?.safeParse(node.example).error).toBeUndefined();
    expect(findConfigProblems(type, node.example as never)).toEqual([]);
  });

  test("has a description with an example", () => {
    expect(node.description).toMatch(/example/i);
    expect(node.description).toMatch(/`/);
    expect(node.name).toMatch(/^[A-Z]/);
    expect(node.icon).toMatch(/^[a-z][a-z-]*$/);
    expect(node.iconPath).toBe(tablerPath(node.icon));
  });

  test("has a summary that uses its config's fields", () => {
    const fields = (node.summary ?? []).flatMap((line) => [...line.matchAll(/\{(\w+)/g)].map(([, field]) => field));
    expect(fields.filter((field) => !Object.hasOwn(node.config.shape, field ?? ""))).toEqual([]);
  });

  test("has a title and a description for every field of its config", () => {
    const schema = nodeConfigSchema(type) as z.ZodObject;
    expect(bareFields(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))).toEqual([]);
  });

  test("has a file named after it, with a test beside it", () => {
    const files = globSync(`**/${type}{,.test}.ts`, { cwd: import.meta.dirname }).map((path) => basename(path));
    expect(files.toSorted()).toEqual([`${type}.test.ts`, `${type}.ts`]);
  });

  // Proves node.common-fields
  test("keeps the common fields", () => {
    const config = { ...(node.example as object), onError: "continue", notes: "{{ for people" };
    expect(findConfigProblems(type, config as never)).toEqual([]);
    expect(findConfigProblems(type, { ...config, onError: "retry" } as never).map(({ path }) => path)).toEqual([
      "onError",
    ]);
  });
});

describe("the registry", () => {
  test("knows every type once", () => {
    const types = allNodes.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    const internal = allNodes.filter(({ isInternal }) => isInternal).map(({ type }) => type);
    expect(nodeTypes.known()).toEqual(types.filter((type) => !internal.includes(type)));
    expect(internal.map((type) => nodeTypes.handles(type, {}))).toEqual(internal.map(() => undefined));
  });

  test("does not mistake inherited properties for types", () => {
    expect(["constructor", "__proto__", "toString", ""].map((type) => nodeTypes.handles(type, {}))).toEqual(
      Array(4).fill(undefined),
    );
  });

  test("has manifests in plain JSON, without server-only parts", () => {
    const manifests = nodeManifests();
    expect(JSON.parse(JSON.stringify(manifests))).toEqual(manifests);
    expect(manifests.every((manifest) => !("run" in manifest))).toBe(true);
  });

  test("does not validate a value that a template will provide", () => {
    expect(findConfigProblems("respond", { status: "{{ $vars.status }}" })).toEqual([]);
    expect(findConfigProblems("switch", { value: 1, cases: "{{ $vars.cases }}" })).toEqual([]);
    expect(findConfigProblems("http-request", { url: "{{ $vars.url }}", retry: "{{ $vars.retry }}" })).toEqual([]);
    expect(findConfigProblems("respond", { status: "x {{ $vars.status" }).map(({ path }) => path)).toContain("status");
  });
});
