import { expect, it } from "vitest";
import { call } from "#e2e/support/api-client.ts";
import { allEndpoints } from "#lib/contract/all.ts";
import { exampleOf } from "#lib/contract/examples/all.ts";

const kinds = ["flow", "exec", "sub", "key", "cred", "hook", "user"];
const malformed = [
  "x",
  "%00",
  "%20",
  "__proto__",
  "..%2f..",
  "1%27%20OR%20%271%27=%271",
  "%F0%9F%91%8D",
  "x".repeat(3_000),
  ...kinds.flatMap((kind) => [`${kind}_`, `${kind}_01HZZZZZZZZZZZZZZZZZZZZZZZ`, `${kind}_8zzzzzzzzzzzzzzzzzzzzzzzzz`]),
];

const named = allEndpoints.filter(({ path }) => path.includes("/:"));

// Proves addresses.malformed-id
it.each(named.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s finds nothing by an impossible id",
  async (_, endpoint) => {
    const body = endpoint.method === "GET" ? undefined : (exampleOf(endpoint)?.body ?? {});
    const answered = await Promise.all(
      malformed.map(async (id) => {
        const { status, error } = await call(endpoint.method, endpoint.path.replace(/:\w+/g, id), body);
        return [status, error?.code];
      }),
    );
    // Personal operations refuse a key before anything is looked up.
    const isForPeople = /^\/account\/|^\/workspaces\/:id\/\w+$|\/(connect|presence|favorite)$/.test(endpoint.path);
    const expected = isForPeople ? [403, "FORBIDDEN"] : [404, "NOT_FOUND"];
    expect(answered).toEqual(malformed.map(() => expected));
  },
);
