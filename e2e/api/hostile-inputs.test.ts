// A catalogue of bad input against every operation: the right status, never a 5xx, nothing about the inside. The tests'
// client checks that each answer is as documented.
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { baseUrl } from "#e2e/support/address.ts";
import { type Answer, call, send } from "#e2e/support/api-client.ts";
import { rawBodies } from "#e2e/support/inputs/bodies.ts";
import { fieldValues, invalidIds, queryValues, reservedWords } from "#e2e/support/inputs/texts.ts";
import {
  createOneOfEach,
  type IdsByPath,
  missingThings,
  newTenant,
  pathWith,
  type Tenant,
} from "#e2e/support/matrix/own-resources.ts";
import { allEndpoints } from "#lib/contract/all.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { exampleOf } from "#lib/contract/examples/all.ts";

const atOnce = 8;
let tenant: Tenant;
let ids: IdsByPath;
let inputs = 0;

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const rows = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const);
const propertiesOf = (schema: z.ZodType): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
const forAll = async <T>(items: readonly T[], perform: (item: T) => Promise<void>) => {
  for (let index = 0; index < items.length; index += atOnce)
    await Promise.all(items.slice(index, index + atOnce).map(perform));
};

/** What every answer to bad input must satisfy. */
function expectSound(answer: Answer, title: string): void {
  inputs += 1;
  const seen = { what: title, status: answer.status, text: answer.text.slice(0, 300) };
  expect(seen).toSatisfy(() => answer.status < 500);
  if (answer.status < 400) return;
  expect(seen).toSatisfy(() => answer.error?.code !== undefined);
  expect(seen).toSatisfy(() => !reservedWords.test(answer.text));
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
}

describe.skipIf(inject("server").dataDir === undefined)("bad input", () => {
  beforeAll(async () => {
    tenant = await newTenant("Inputs");
    ids = await createOneOfEach(tenant);
  });
  afterAll(() => console.log(`${inputs} bad inputs were sent to ${allEndpoints.length} operations.`));

  const asTenant = () => ({ key: tenant.key });
  /** With a key or, where keys are refused, as the signed-in person. */
  const asAllowed = ({ peopleOnly }: Endpoint) =>
    peopleOnly === true
      ? { key: null, headers: { cookie: tenant.owner.cookieHeader(), origin: baseUrl() } }
      : { ...asTenant(), headers: {} };

  /** Any text is a body where CSV is taken. */
  const takesJson = ({ method, bodyType }: Endpoint) => method !== "GET" && bodyType === undefined;

  it.each(rows(allEndpoints.filter(takesJson)))("as a body: %s", async (_, endpoint) => {
    const tooMuch = rawBodies.filter(({ beyond }) => {
      if (beyond === undefined) return true;
      return (beyond === "bytes" ? endpoint.bodyBytesMax : endpoint.bodyLevelsMax) === undefined;
    });
    await forAll(tooMuch, async ({ name, body, headers, status = 400 }) => {
      const path = pathWith(endpoint, missingThings);
      const caller = asAllowed(endpoint);
      const given = { "content-type": "application/json", ...caller.headers, ...headers };
      const answer = await send(endpoint.method, path, body, { ...caller, headers: given });
      expectSound(answer, name);
      expect([name, answer.status]).toEqual([name, status]);
      if (status === 400) expect([name, Object.keys(answer.error.details ?? {})]).toEqual([name, ["body"]]);
    });
  });

  it.each(rows(allEndpoints.filter(({ path }) => path.includes(":"))))("as an id: %s", async (_, endpoint) => {
    const steps = endpoint.path.split("/").filter((step) => step.startsWith(":")).length;
    const body = endpoint.method === "GET" ? undefined : (exampleOf(endpoint)?.body ?? {});
    await forAll(invalidIds, async (id) => {
      // The last id is bad; those before it lead to existing resources.
      const prefixes = Object.entries(ids).map(([prefix, value]) => [
        prefix,
        prefix.split("/:").length - 1 < steps ? value : id,
      ]);
      const answer = await call(endpoint.method, pathWith(endpoint, Object.fromEntries(prefixes)), body, asTenant());
      expectSound(answer, id);
      const isForPeople = answer.error?.details?.required === "session";
      if (!isForPeople) expect([id.slice(0, 60), answer.status]).toEqual([id.slice(0, 60), 404]);
    });
  });

  it.each(rows(allEndpoints.filter(({ query }) => propertiesOf(query).length > 0)))(
    "as a query: %s",
    async (_, endpoint) => {
      const body = endpoint.method === "GET" ? undefined : (exampleOf(endpoint)?.body ?? {});
      const cases = propertiesOf(endpoint.query).flatMap((name) => queryValues.map((value) => [name, value] as const));
      await forAll(cases, async ([name, value]) => {
        const query = `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`;
        const path = `${pathWith(endpoint, missingThings)}?${query}`;
        const answer = await call(endpoint.method, path, body, asAllowed(endpoint));
        expectSound(answer, `${name}=${value.slice(0, 60)}`);
        expect([200, 201, 204, 303, 400, 403, 404]).toContain(answer.status);
        // A value that the parameter's schema refuses is reported with its name, before any id is looked up.
        const parsed = endpoint.query.safeParse({ [name]: value.toWellFormed() });
        if (!parsed.success) expect(Object.keys(answer.error?.details ?? {})).toContain(name);
      });
    },
  );

  it.each(rows(allEndpoints.filter(({ body }) => propertiesOf(body).length > 0)))(
    "as a field: %s",
    async (_, endpoint) => {
      const path = pathWith(endpoint, ids);
      const example = (exampleOf(endpoint)?.body ?? {}) as object;
      const cases = propertiesOf(endpoint.body).flatMap((name) => fieldValues.map((value) => [name, value] as const));
      await forAll(cases, async ([name, value]) => {
        const answer = await call(endpoint.method, path, { ...example, [name]: value }, asTenant());
        expectSound(answer, `${name}: ${JSON.stringify(value).slice(0, 80)}`);
        const parsed = endpoint.body.safeParse({ ...example, [name]: value });
        const isRefused = answer.status === 400 || answer.status === 403;
        if (!parsed.success) expect([name, value, isRefused]).toEqual([name, value, true]);
      });
    },
  );

  it("left no trace in the service's own objects", () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
