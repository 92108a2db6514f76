// Requests generated from the API's own document, most of them valid. Whatever is sent: no 5xx, and an answer that the
// document describes, which the tests' client checks. `FUZZ_RUNS` sets the number per operation; a failure prints the
// seed and the path for `FUZZ_SEED` and `FUZZ_PATH`.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Answer, call, get } from "#e2e/support/api-client.ts";
import { type JsonSchema, type Schemas, schemaValue } from "#e2e/support/inputs/schema-values.ts";
import { reservedWords } from "#e2e/support/inputs/texts.ts";
import {
  createOneOfEach,
  type IdsByPath,
  missingThings,
  newTenant,
  type Tenant,
} from "#e2e/support/matrix/own-resources.ts";
import { allEndpoints } from "#lib/contract/all.ts";

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> };
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Schemas };
}
interface Request {
  readonly ids: boolean;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

const numRuns = Number(process.env.FUZZ_RUNS ?? 25);
const seed = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };
const path = process.env.FUZZ_PATH === undefined ? {} : { path: process.env.FUZZ_PATH };
const operations = allEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

let tenant: Tenant;
let idsByPath: IdsByPath;
let document: Document;
let sent = 0;

describe.skipIf(inject("server").dataDir === undefined)("a fuzzed request", () => {
  beforeAll(async () => {
    tenant = await newTenant("Fuzzed");
    idsByPath = await createOneOfEach(tenant);
    document = (await get("/openapi.json")).body as Document;
  });
  afterAll(() => console.log(`${sent} fuzzed requests were sent to ${operations.length} operations.`));

  // Proves conventions.described-answers
  it.each(operations)("is answered as documented: %s", async (_, endpoint) => {
    const operation = document.paths[endpoint.path.replace(/:(\w+)/g, "{$1}")]?.[endpoint.method.toLowerCase()] ?? {};
    const requests = requestsOf(operation, document.components.schemas);
    await fc.assert(
      fc.asyncProperty(requests, async ({ ids, query, body }) => {
        // Resources that would be deleted permanently are only looked up.
        const from = ids && endpoint.method !== "DELETE" ? idsByPath : missingThings;
        const steps = endpoint.path
          .split("/")
          .map((step, index, all) => (step.startsWith(":") ? from[all.slice(0, index + 1).join("/")] : step));
        const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, textOf(value)]));
        const isGet = endpoint.method === "GET";
        const answer = await call(endpoint.method, `${steps.join("/")}?${search}`, isGet ? undefined : body, {
          key: tenant.key,
        });
        expectSound(answer);
      }),
      { numRuns, ...seed, ...path, endOnFailure: false, interruptAfterTimeLimit: 45_000 },
    );
  });
});

function expectSound(answer: Answer): void {
  sent += 1;
  expect({ status: answer.status, text: answer.text.slice(0, 300) }).toSatisfy(() => answer.status < 500);
  if (answer.status >= 400) expect(answer.text).not.toMatch(reservedWords);
}

function requestsOf({ parameters = [], requestBody }: Operation, schemas: Schemas): fc.Arbitrary<Request> {
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const query = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schemaValue(schema, schemas)]));
  const schema = requestBody?.content["application/json"]?.schema;
  return fc.record({
    ids: fc.boolean(),
    query: fc.record(query, { requiredKeys: [] }),
    body: schema === undefined ? fc.constant({}) : schemaValue(schema, schemas),
  });
}

/** A value in a URL: JSON unless it is text. */
function textOf(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed().slice(0, 2_000);
}
