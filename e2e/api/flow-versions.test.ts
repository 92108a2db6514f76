// The history of a flow.
import { describe, expect, it } from "vitest";
import { get, patch, post } from "../support/api-client.ts";
import { createFlow, type TestFlow, transform } from "../support/flows.ts";
import { expectRefusal } from "../support/refusals.ts";

interface Version {
  readonly version: number;
  readonly name: string | null;
  readonly createdByName: string | null;
  readonly isCurrent: boolean;
  readonly liveAt: string | null;
  readonly nodes: { readonly id: string }[];
}

async function flowWithHistory(): Promise<TestFlow> {
  const flow = await createFlow({ nodes: [transform("first", "1")] });
  await patch(`/flows/${flow.id}`, { nodes: [transform("second", "2")] });
  await patch(`/flows/${flow.id}`, { nodes: [transform("third", "3")] });
  return flow;
}

describe("GET /flows/:id/versions", () => {
  // Proves flows.update.history, flows.versions.list
  it("200: newest first, in pages", async () => {
    const { id } = await flowWithHistory();
    const all = await get<Version[]>(`/flows/${id}/versions`);
    expect(all.data.map(({ version, isCurrent }) => [version, isCurrent])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    const page = await get<Version[]>(`/flows/${id}/versions?page=2&limit=2`);
    expect(page.data.map(({ version }) => version)).toEqual([1]);
    expect(page.pagination).toMatchObject({ total: 3, totalPages: 2, hasNext: false, hasPrev: true });
  });

  it("200: each with the time at which it first went live", async () => {
    const { id } = await createFlow({ status: "draft", nodes: [transform("first", "1")] });
    const change = (body: object) => patch(`/flows/${id}`, body);
    await change({ nodes: [transform("second", "2")] });
    await change({ status: "active" });
    await change({ status: "draft" });
    await change({ nodes: [transform("third", "3")] });
    await change({ status: "active", nodes: [transform("fourth", "4")] });
    const { data } = await get<Version[]>(`/flows/${id}/versions`);
    expect(data.map(({ version, liveAt }) => [version, liveAt !== null])).toEqual([
      [4, true],
      [3, false],
      [2, true],
      [1, false],
    ]);
    await change({ status: "inactive" });
    await change({ status: "active" });
    expect((await get<Version[]>(`/flows/${id}/versions`)).data).toEqual(data);
    const read = await get<Version>(`/flows/${id}/versions/2`);
    expect(read.data.liveAt).toBe(data[2]?.liveAt);
  });

  // Proves flows.update.canvas
  it("changes that runs ignore create no version", async () => {
    const { id } = await flowWithHistory();
    await patch(`/flows/${id}`, { name: "Other", tags: ["x"], settings: { canvas: { zoom: 2 } } });
    expect((await get<Version[]>(`/flows/${id}/versions`)).pagination.total).toBe(3);
  });
});

describe("GET /flows/:id/versions/:version", () => {
  // Proves flows.versions.read
  it("200: the document as it was", async () => {
    const { id } = await flowWithHistory();
    const { data } = await get<Version>(`/flows/${id}/versions/1`);
    expect(data).toMatchObject({ version: 1, isCurrent: false, nodes: [{ id: "first" }] });
  });

  // Proves flows.versions.missing
  it.each(["4", "0", "x", "1.0", "-1"])("404 for %s", async (version) => {
    const { id } = await flowWithHistory();
    expectRefusal(await get(`/flows/${id}/versions/${version}`), 404, "NOT_FOUND");
  });
});

describe("PATCH /flows/:id/versions/:version", () => {
  it("200: names a version, and removes its name again; its author is named", async () => {
    const { id } = await flowWithHistory();
    const named = await patch(`/flows/${id}/versions/2`, { name: "Before the sale" });
    expect(named.status).toBe(200);
    const [, second] = (await get<Version[]>(`/flows/${id}/versions`)).data;
    expect(second).toMatchObject({ version: 2, name: "Before the sale", createdByName: expect.any(String) });
    await patch(`/flows/${id}/versions/2`, { name: null });
    expect((await get<Version>(`/flows/${id}/versions/2`)).data.name).toBeNull();
  });

  it("400 for a name that is empty or too long, 404 for a missing version", async () => {
    const { id } = await flowWithHistory();
    for (const name of ["", "x".repeat(101)]) {
      expectRefusal(await patch(`/flows/${id}/versions/2`, { name }), 400, "VALIDATION_ERROR");
    }
    expectRefusal(await patch(`/flows/${id}/versions/9`, { name: "x" }), 404, "NOT_FOUND");
  });
});

describe("POST /flows/:id/versions/:version/restore", () => {
  // Proves flows.versions.restore
  it("200: a new version like the old one; the history is kept", async () => {
    const { id } = await flowWithHistory();
    const restored = await post<TestFlow>(`/flows/${id}/versions/1/restore`);
    expect(restored.status).toBe(200);
    expect(restored.headers.get("etag")).toBe('"4"');
    expect(restored.data).toMatchObject({ version: 4, nodes: [{ id: "first" }] });
    expect((await get<TestFlow>(`/flows/${id}`)).data.nodes).toMatchObject([{ id: "first" }]);
    expect((await get<Version[]>(`/flows/${id}/versions`)).pagination.total).toBe(4);
  });

  it("200: the current version stays current", async () => {
    const { id } = await flowWithHistory();
    expect((await post<TestFlow>(`/flows/${id}/versions/3/restore`)).data.version).toBe(3);
  });

  it("409 for a stale If-Match, 404 for an unknown version", async () => {
    const { id } = await flowWithHistory();
    const stale = { headers: { "if-match": '"2"' } };
    expectRefusal(await post(`/flows/${id}/versions/1/restore`, {}, stale), 409, "CONFLICT");
    expectRefusal(await post(`/flows/${id}/versions/9/restore`), 404, "NOT_FOUND");
  });
});
