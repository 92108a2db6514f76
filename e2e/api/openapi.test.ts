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
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Record<string, Answered>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
}

/** All but where browsers are sent: nobody calls that. */
const called = allEndpoints.filter(({ status }) => status !== 303);

const read = async () => (await get("/openapi.json", { key: null })).body as Document;

// Proves addresses.current-version, beyond.openapi
it("is OpenAPI 3.1 and open to all", async () => {
  const { openapi, info } = await read();
  expect(openapi).toMatch(/^3\.1\./);
  expect(info.version).toBe("1.0.0");
});

// Proves beyond.openapi
it("has every operation of the contract, with its usual answer and a refusal without a key", async () => {
  const { paths } = await read();
  for (const { method, path, status } of called) {
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
  expect(names.length).toBeGreaterThanOrEqual(called.length);
  expect(new Set(names).size).toBe(names.length);
});

// Proves conventions.described-answers
it("has an example for every answer of the contract, and each matches its schema", async () => {
  const { paths } = await read();
  for (const { method, path, status, shape } of called) {
    if (shape === "empty") continue;
    const answered = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.responses[status];
    const type =
      { stream: "text/event-stream", csv: "text/csv", file: "application/octet-stream" }[String(shape)] ??
      "application/json";
    const example = answered?.content?.[type]?.example;
    expect([method, path, example]).toEqual([method, path, expect.anything()]);
    expect(await undocumented(method, path.replace(/:\w+/g, "x"), status, example)).toBeNull();
  }
});

// Proves idempotency.posts
it("has Idempotency-Key for every POST under /flows, /executions and /tables, and nothing else", async () => {
  const { paths } = await read();
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [] }]) =>
      parameters.some(({ name }) => name === "Idempotency-Key") ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
  const posts = allEndpoints.filter(
    ({ method, path }) => method === "POST" && /^\/(flows|executions|tables|events)(\/|$)/.test(path),
  );
  expect(documented.sort()).toEqual(posts.map(({ path }) => `POST ${path.replace(/:(\w+)/g, "{$1}")}`).sort());
});
