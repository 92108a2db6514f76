import { beforeAll, describe, expect, inject, test } from "vitest";
import { call } from "#e2e/support/api-client.ts";
import { createFlow } from "#e2e/support/flows.ts";
import { newTenant } from "#e2e/support/matrix/own-resources.ts";
import { type Browser, ownWorkspaceId, signedInAs, sql } from "#e2e/support/people.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";
import { favoritesMax } from "#lib/contract/flows/favorites.ts";
import { newId } from "#lib/platform/ids.ts";

interface Item {
  readonly id: string;
  readonly favorite?: boolean;
}

const favorites = async (browser: Browser, more = "") =>
  (await browser.api<Item[]>("GET", `/flows?favorite=true&sortBy=name&order=asc${more}`)).data.map(({ id }) => id);
const mark = (browser: Browser, id: string) => browser.api("PUT", `/flows/${id}/favorite`);
const unmark = (browser: Browser, id: string) => browser.api("DELETE", `/flows/${id}/favorite`);

describe.skipIf(inject("server").dataDir === undefined)("favorites", () => {
  let [ana, vera] = [] as unknown as [Awaited<ReturnType<typeof signedInAs>>, Awaited<ReturnType<typeof signedInAs>>];
  let [first, second] = ["", ""];
  beforeAll(async () => {
    [ana, vera] = [await signedInAs("editor"), await signedInAs("viewer")];
    first = (await createFlow({ name: "Alpha ledger" })).id;
    second = (await createFlow({ name: "Beta ledger", tags: ["kept"] })).id;
  });

  test("a person marks flows for themselves alone, viewers too", async () => {
    expect((await mark(ana, first)).status).toBe(204);
    expect((await mark(ana, second)).status).toBe(204);
    expect((await mark(vera, second)).status).toBe(204);
    expect([await favorites(ana), await favorites(vera)]).toEqual([[first, second], [second]]);
    expect((await ana.api<Item>("GET", `/flows/${first}`)).data.favorite).toBe(true);
    expect((await vera.api<Item>("GET", `/flows/${first}`)).data.favorite).toBe(false);
    expect(await favorites(ana, "&search=beta")).toEqual([second]);
    expect(await favorites(ana, "&tag=kept")).toEqual([second]);
    const { pagination } = await ana.api<Item[]>("GET", "/flows?favorite=true&limit=1&page=2&sortBy=activity");
    expect(pagination).toMatchObject({ total: 2, totalPages: 2, hasNext: false });
  });

  test("marking again and taking off twice change nothing, also all at once", async () => {
    const put = await Promise.all(Array.from({ length: 8 }, () => mark(ana, first)));
    expect(put.map(({ status }) => status)).toEqual(put.map(() => 204));
    const answers = await Promise.all(Array.from({ length: 8 }, () => unmark(ana, first)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    expect(await favorites(ana)).toEqual([second]);
  });

  test("a key has none, and its answers say nothing of them", async () => {
    expect((await call<Item[]>("GET", "/flows?favorite=true")).data).toEqual([]);
    expect((await call<Item[]>("GET", "/flows?search=ledger")).data.map((item) => "favorite" in item)).not.toContain(
      true,
    );
    expect((await call<Item>("GET", `/flows/${first}`)).data).not.toHaveProperty("favorite");
    expectRefusal(await call("PUT", `/flows/${first}/favorite`), 403, "FORBIDDEN");
    expectInvalid(await call("GET", "/flows?favorite=yes"), "favorite");
  });

  test("another workspace's flow is not found, and a deleted one is no favorite any more", async () => {
    const theirs = await newTenant("Theirs");
    expectRefusal(await mark(theirs.owner, first), 404, "NOT_FOUND");
    expectRefusal(await unmark(theirs.owner, first), 404, "NOT_FOUND");
    expectRefusal(await mark(ana, newId("flow")), 404, "NOT_FOUND");
    const { id } = await createFlow({ name: "Short-lived" });
    expect((await mark(ana, id)).status).toBe(204);
    expect((await call("DELETE", `/flows/${id}`)).status).toBe(204);
    expect(await favorites(ana)).not.toContain(id);
  });

  test("there is an end to them, and those that are there stay", async () => {
    const zoe = await signedInAs("viewer");
    const workspaceId = await ownWorkspaceId();
    await sql(
      `WITH made AS (INSERT INTO flow (id, workspace_id, hook_id, name, status, tags, version, created_at, updated_at)
         SELECT 'many_' || $1 || n, $2, 'many_' || $1 || n, 'Many', 'draft', '{}', 1, now(), now()
         FROM generate_series(1, $3) n RETURNING id)
       INSERT INTO flow_favorite (user_id, workspace_id, flow_id) SELECT $1, $2, id FROM made`,
      [zoe.person.id, workspaceId, favoritesMax - 1],
    );
    expect((await mark(zoe, first)).status).toBe(204);
    expectRefusal(await mark(zoe, second), 409, "CONFLICT");
    expect((await mark(zoe, first)).status).toBe(204);
    expect((await unmark(zoe, first)).status).toBe(204);
    expect((await mark(zoe, second)).status).toBe(204);
    await sql("DELETE FROM flow WHERE id LIKE 'many_%' AND workspace_id = $1", [workspaceId]);
  });
});
