// A list that is far too long is refused before its items are read: a body of 1 MiB can have half a million of them,
// each with a problem of its own.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import { nodeConfigSchema, nodeManifests } from "#lib/nodes/registry.ts";
import { allEndpoints } from "./all.ts";

type Json = Readonly<Record<string, unknown>>;
const levelsMax = 3;
const msMax = 100;

/** The paths of all fields in a JSON Schema; `#` for the items of a list. */
function pathsIn(schema: Json, level = 0): string[][] {
  if (level > levelsMax) return [];
  const alternatives = [schema, ...["anyOf", "oneOf", "allOf"].flatMap((key) => (schema[key] ?? []) as Json[])];
  return alternatives.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties as Json).flatMap(([name, inner]) => [
      [name],
      ...pathsIn(inner as Json, level + 1).map((path) => [name, ...path]),
    ]),
    ...(typeof items === "object" ? pathsIn(items as Json, level + 1).map((path) => ["#", ...path]) : []),
  ]);
}

function put([step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  return step === "#" ? [put(rest, value)] : { [step]: put(rest, value) };
}

const lists = ["", {}].map((item) => Array.from({ length: 340_000 }, () => item));

const isSlow = (work: () => unknown) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  // On the reference machine it takes no longer: measuring that takes time, and most fields are fast anyway.
  return (user + system) / 1_000 > msMax && cpuTime(work) > msMax && cpuTime(work) > msMax;
};

/** The fields where a long list takes long. */
function slowFields(schema: z.ZodType): string[] {
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
  const paths = new Set(pathsIn(shape).map((path) => path.join(".")));
  return [...paths].filter((path) =>
    lists.some((list) => isSlow(() => schema.safeParse(put(path.split("."), list), { reportInput: true }))),
  );
}

const bodies = allEndpoints.map(({ method, path, body }) => [`${method} ${path}`, body] as const);

describe("a list that is far too long is refused at once", () => {
  test.each(bodies)("in the body of %s", (_, body) => {
    expect(slowFields(body)).toEqual([]);
  });

  test.each(nodeManifests().map(({ type }) => type))("in the config of the node %s", (type) => {
    expect(slowFields(nodeConfigSchema(type) ?? z.object({}))).toEqual([]);
  });
});
