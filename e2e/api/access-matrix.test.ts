// Every operation against every kind of caller. The rows come from the contract: an operation that names a kind of
// resource missing from the table, or has no example body, fails here.
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { z } from "zod";
import { type Answer, call } from "#e2e/support/api-client.ts";
import {
  createOneOfEach,
  type IdsByPath,
  missingThings,
  newKey,
  newTenant,
  pathWith,
  snapshotOf,
  type Tenant,
} from "#e2e/support/matrix/own-resources.ts";
import { type Browser, newPerson, signedIn } from "#e2e/support/people.ts";
import { type Role, roleScopes, roles, type Scope, scopes } from "#lib/access.ts";
import { newApiKey } from "#lib/auth/api-keys.ts";
import { allEndpoints } from "#lib/contract/all.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { exampleOf } from "#lib/contract/examples/all.ts";

let ours: Tenant;
let theirs: Tenant;
let ids: IdsByPath;
let before: string;
let cells = 0;
const keys: Record<string, string> = {};
const sessions = {} as Record<Role, Browser>;

const isForPeople = ({ peopleOnly }: Endpoint) => peopleOnly === true;
const changes = ({ method }: Endpoint) => method !== "GET";
const bodyOf = (endpoint: Endpoint) => (changes(endpoint) ? (exampleOf(endpoint)?.body ?? {}) : undefined);
/** Flags that add more of the operation's own subject. */
const ofItsOwnSubject = ["includeVariables", "includeLogs", "includeNodeOutputs", "includeItemCounts", "includeText"];
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
/** Reaches nothing: the test only asks whether the caller would be admitted. */
const pathWithMissingIds = (endpoint: Endpoint) => pathWith(endpoint, missingThings);

function expectRefused(answer: Answer, status: number, code: string, required?: string): void {
  cells += 1;
  const { error } = answer;
  expect([answer.status, error?.code, required === undefined ? undefined : error?.details?.required]).toEqual([
    status,
    code,
    required,
  ]);
}

function expectLetIn(answer: Answer): void {
  cells += 1;
  expect([401, 403, 429, 500, 503]).not.toContain(answer.status);
}

describe.skipIf(inject("server").dataDir === undefined)("who may what", () => {
  beforeAll(async () => {
    [ours, theirs] = [await newTenant("Ours"), await newTenant("Theirs")];
    ids = await createOneOfEach(ours);
    const { workspaceId } = ours;
    keys.revoked = await newKey(workspaceId, { revoked: true });
    keys.expired = await newKey(workspaceId, { expired: true });
    for (const scope of scopes) {
      keys[`only ${scope}`] = await newKey(workspaceId, { scopes: [scope] });
      keys[`not ${scope}`] = await newKey(workspaceId, { scopes: scopes.filter((other) => other !== scope) });
    }
    for (const role of roles) sessions[role] = await signedIn(await newPerson({ [workspaceId]: role }));
    before = await snapshotOf(workspaceId);
  });
  afterAll(() => console.log(`The matrix has ${allEndpoints.length} operations and ${cells} cells.`));

  describe.each(allEndpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))("%s", (_, endpoint) => {
    const { method, scope } = endpoint;
    const bypass = "middleware:middleware:middleware:middleware:middleware";

    // Proves conventions.authenticated
    it("refuses everybody without a valid key", async () => {
      const path = pathWith(endpoint, ids);
      const invalidKeys = [
        "garbage",
        `${newApiKey().slice(0, -1)}!`,
        newApiKey(),
        keys.revoked,
        keys.expired,
        "é".repeat(40),
      ];
      const credentials = [
        {},
        { "x-middleware-subrequest": bypass },
        { cookie: "next-auth.session-token=garbage" },
        { authorization: "Basic b3duZXI6b3duZXI=" },
        { authorization: `Bearer ${ours.key}, Bearer ${ours.key}` },
        { authorization: `Bearer ${keys.revoked}`, cookie: ours.owner.cookieHeader() },
        ...invalidKeys.map((key) => ({ authorization: `Bearer ${encodeURI(key ?? "")}` })),
      ];
      // None of the body is read before a 401, so it need not even be JSON.
      const body = changes(endpoint) ? "{" : undefined;
      const requests = credentials.map((headers) => call(method, path, body, { key: null, headers }));
      for (const answer of await Promise.all(requests)) {
        expectRefused(answer, 401, "UNAUTHORIZED");
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    });

    // Proves authentication.other-workspace
    it("does not find another workspace's resource, by key or session, nor changes it", async () => {
      const path = pathWith(endpoint, ids);
      const reads = path === endpoint.path;
      if (reads && changes(endpoint)) return; // Names nothing: it acts in the caller's own workspace.
      if (endpoint.path === "/templates/:id") return; // Comes with the service: it belongs to no workspace.
      const body = bodyOf(endpoint);
      for (const answer of [
        await call(method, path, body, { key: theirs.key }),
        await theirs.owner.api(method, path, body),
      ]) {
        if (reads) {
          cells += 1;
          for (const id of Object.values(ids)) if (id.length > 20) expect(answer.text).not.toContain(id);
        } else if (answer.error?.details?.required === "session") {
          expect(isForPeople(endpoint)).toBe(true);
          cells += 1;
        } else expectRefused(answer, 404, "NOT_FOUND");
      }
    });

    // Proves authentication.forbidden
    it("requires its scope of a key, and no other", async () => {
      const send = (key: string | undefined) =>
        call(method, pathWithMissingIds(endpoint), changes(endpoint) ? {} : undefined, { key: key ?? "" });
      if (isForPeople(endpoint)) {
        // The body is checked first: only a valid one leads to the refusal.
        const answer = await call(method, pathWithMissingIds(endpoint), bodyOf(endpoint), { key: ours.key });
        expectRefused(answer, 403, "FORBIDDEN", "session");
      } else if (scope === null) {
        const answers = await Promise.all(scopes.map((other) => send(keys[`not ${other}`])));
        for (const answer of answers) expectLetIn(answer);
      } else {
        expectRefused(await send(keys[`not ${scope}`]), 403, "FORBIDDEN", scope);
        expectLetIn(await send(keys[`only ${scope}`]));
        const others: readonly Scope[] = scopes.filter((other) => other !== scope);
        const answers = await Promise.all(others.map((other) => send(keys[`only ${other}`])));
        for (const answer of answers) expectRefused(answer, 403, "FORBIDDEN", scope);
      }
    });

    it("requires the scope for what a flag adds", async () => {
      const scopes = Object.entries(endpoint.flagScopes ?? {});
      const flags = Object.keys((endpoint.query as z.ZodObject).shape).filter((name) => /^(include|delete)/.test(name));
      expect(flags.filter((name) => !ofItsOwnSubject.includes(name)).sort()).toEqual(
        scopes.map(([name]) => name).sort(),
      );
      for (const [name, needed] of scopes) {
        const send = (key: string | undefined, value: boolean) =>
          call(method, `${pathWithMissingIds(endpoint)}?${name}=${value}`, undefined, { key: key ?? "" });
        expectRefused(await send(keys[`only ${scope}`], true), 403, "FORBIDDEN", needed);
        expectRefused(await send(keys[`not ${needed}`], true), 403, "FORBIDDEN", needed);
        expectLetIn(await send(keys[`only ${scope}`], false));
        expectLetIn(await send(ours.key, true));
      }
    });

    // Proves authentication.session
    it.each(roles)("admits a session with the role: %s", async (role) => {
      const answer = await sessions[role].api(method, pathWithMissingIds(endpoint), changes(endpoint) ? {} : undefined);
      const isAllowed = scope === null || roleScopes[role].includes(scope);
      if (isAllowed) expectLetIn(answer);
      else expectRefused(answer, 403, "FORBIDDEN", scope);
    });

    // Proves authentication.session
    it("does nothing with a session for another site's page", async () => {
      const own = { cookie: ours.owner.cookieHeader() };
      const foreign = [
        { origin: "https://evil.example" },
        { origin: "null" },
        {},
        { origin: new URL(inject("server").url).origin, "sec-fetch-site": "cross-site" },
        { origin: new URL(inject("server").url).origin, "sec-fetch-site": "same-site" },
        { origin: `${new URL(inject("server").url).origin}.evil.example` },
      ];
      const body = changes(endpoint) ? {} : undefined;
      const requests = foreign.map((headers) =>
        call(method, pathWithMissingIds(endpoint), body, { key: null, headers: { ...own, ...headers } }),
      );
      for (const answer of await Promise.all(requests)) {
        if (changes(endpoint)) expectRefused(answer, 403, "FORBIDDEN", "same-origin");
        else expectLetIn(answer);
      }
    });
  });

  it("none of all that changed our own data", async () => {
    expect(await snapshotOf(ours.workspaceId)).toBe(before);
  });
});
