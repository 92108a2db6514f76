// The API's own description.
import { expect, it } from "vitest";
import { allEndpoints } from "#lib/contract/all.ts";
import { get } from "../support/api-client.ts";
import { undocumented } from "../support/documented.ts";

interface Answered {
  readonly $ref?: string;
  readonly content?: Record<string, { readonly example?: unknown }>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, Answered>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

const read = async () => (await get("/openapi.json", { key: null })).body as Document;

it("is OpenAPI 3.1 and open to all", async () => {
  expect((await read()).openapi).toMatch(/^3\.1\./);
});

it("has every operation of the contract, with its usual answer and a refusal without a key", async () => {
  const { paths } = await read();
  for (const { method, path, status } of allEndpoints) {
    const operation = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    expect([method, path, Object.keys(operation?.responses ?? {})]).toEqual([
      method,
      path,
      expect.arrayContaining([String(status), "401"]),
    ]);
  }
});

it("names every operation once", async () => {
  const { paths } = await read();
  const names = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
  expect(names.length).toBeGreaterThanOrEqual(allEndpoints.length);
  expect(new Set(names).size).toBe(names.length);
});

it("gives an example of every answer of the contract, and each is as its schema says", async () => {
  const { paths } = await read();
  for (const { method, path, status, shape } of allEndpoints) {
    if (shape === "empty") continue;
    const answered = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.responses[status];
    const type = shape === "stream" ? "text/event-stream" : "application/json";
    const example = answered?.content?.[type]?.example;
    expect([method, path, example]).toEqual([method, path, expect.anything()]);
    expect(await undocumented(method, path.replace(/:\w+/g, "x"), status, example)).toBeNull();
  }
});
