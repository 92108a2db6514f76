// Editing what is live: a working copy beside the version that runs, until it is published.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { del, get, patch, post, put } from "#e2e/support/api-client.ts";
import { createFlow, execute, node, type TestFlow, transform } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Draft {
  readonly definition: Pick<TestFlow, "name" | "nodes" | "edges" | "variables"> & { readonly settings: object };
  readonly basedOn: number;
  readonly currentVersion: number;
  readonly revision: number;
  readonly changes: { readonly nodeId?: string; readonly path?: string; readonly summary: string }[];
  readonly summary: string;
  readonly problems: { readonly path: string; readonly nodeId?: string }[];
}

const trigger = { type: "webhook" };
const definition = (program: string, overrides: object = {}) => ({
  trigger,
  nodes: [transform("t", program)],
  ...overrides,
});
const live = (overrides: object = {}) => createFlow({ status: "active", nodes: [transform("t", "1")], ...overrides });
const write = (id: string, given: object, ifMatch?: string, overrides: object = {}) =>
  put<Draft>(
    `/flows/${id}/draft`,
    { definition: given, ...overrides },
    ifMatch ? { headers: { "if-match": ifMatch } } : {},
  );
const publish = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  post<TestFlow>(`/flows/${id}/publish`, body, { headers });

async function written(id: string, given: object): Promise<Draft> {
  const answer = await write(id, given);
  expect(answer.error).toBeUndefined();
  expect(answer.status).toBe(200);
  return answer.data;
}

describe("a working copy", () => {
  // Proves working-copies.apart, working-copies.changes
  it("is kept beside what runs, with what it changes", async () => {
    const { id, name } = await live();
    expectRefusal(await get(`/flows/${id}/draft`), 404, "NOT_FOUND");
    expect((await get<object>(`/flows/${id}`)).data).toMatchObject({ draft: null });
    const nodes = [transform("t", "2"), { ...node("say", "log", { message: "hi" }), name: "Log" }];
    const draft = await written(id, { trigger, nodes, edges: [{ source: "t", target: "say" }] });
    expect(draft).toMatchObject({ basedOn: 1, currentVersion: 1, revision: 1, problems: [] });
    expect(draft.definition).toMatchObject({ name, variables: {}, settings: {} });
    expect(draft.changes.map(({ nodeId, path, summary }) => [nodeId ?? path, summary])).toEqual([
      ["t", "t: transform"],
      ["say", "+ Log"],
      ["edges", "+ t → Log"],
    ]);
    expect(draft.summary).toBe("t: transform; + Log");
    const read = await get<Draft>(`/flows/${id}/draft`);
    expect(read.data).toEqual(draft);
    expect(read.headers.get("etag")).toBe('"1"');
    const flow = (await get<TestFlow>(`/flows/${id}`)).data;
    expect(flow).toMatchObject({ version: 1, nodes: [{ id: "t" }], draft: { revision: 1, basedOn: 1 } });
    expect((await execute(id)).output).toBe(1);
    expect(await (await fetch(flow.trigger.config.url, { method: "POST" })).json()).toBe(1);
  });

  // Proves working-copies.half-made
  it("may be unfinished: what keeps it from being published is listed", async () => {
    const { id } = await live();
    const nodes = [
      node("ask", "http-request"),
      node("ask", "log", { message: "{{ $nodes. }}" }),
      node("what", "no-such-type"),
    ];
    const edges = [
      { source: "ask", target: "gone" },
      { source: "what", target: "what" },
    ];
    const draft = await written(id, { trigger: { type: "schedule", config: {} }, nodes, edges });
    const paths = draft.problems.map(({ path }) => path);
    for (const path of [
      "nodes[1].id",
      "nodes[2].type",
      "edges[0].target",
      "trigger.config.cron",
      "nodes[0].config.url",
    ])
      expect(paths).toContain(path);
    const refused = await publish(id);
    expectRefusal(refused, 400, "VALIDATION_ERROR");
    expect(Object.keys(refused.error.details ?? {})).toContain("nodes[1].id");
  });

  it.each([
    ["no definition", {}, "definition"],
    ["a node that is none", { definition: { trigger, nodes: [5] } }, "definition.nodes[0]"],
    ["U+0000 in a name", { definition: { trigger, nodes: [], name: "a\u0000" } }, "definition.name"],
    [
      "half a surrogate pair in an id",
      { definition: { trigger, nodes: [node("\ud800", "log")] } },
      "definition.nodes[0].id",
    ],
    [
      "settings that are none",
      { definition: { trigger, nodes: [], settings: { timeoutMs: -1 } } },
      "definition.settings.timeoutMs",
    ],
    ["a basis that is no number", { definition: { trigger, nodes: [] }, basedOn: "1" }, "basedOn"],
    ["a basis that is to come", { definition: { trigger, nodes: [] }, basedOn: 2 }, "basedOn"],
  ])("is refused with %s", async (_, body, field) => {
    const { id } = await live();
    expectInvalid(await put(`/flows/${id}/draft`, body), field);
    expect((await get(`/flows/${id}/draft`)).status).toBe(404);
  });

  // Proves working-copies.size
  it("is bounded as a flow is: nodes, bytes, and the time that its changes take", async () => {
    const { id } = await live();
    const many = (count: number) => Array.from({ length: count }, (__, index) => transform(`n${index}`, "1"));
    expectInvalid(await write(id, { trigger, nodes: many(1_001) }), "definition.nodes");
    expectRefusal(await write(id, definition("x".repeat(1_048_576))), 413, "PAYLOAD_TOO_LARGE");
    const { changes, summary } = await written(id, { trigger, nodes: many(1_000) });
    expect(changes).toHaveLength(1_001);
    expect(summary).toBe("+ n0; + n1; + n2; + n3; + n4; and 996 more");
  });

  it("may be nested as deeply as a flow", async () => {
    const { id } = await live();
    const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    await written(id, { trigger, nodes: [], variables: { deep: nested(62) } });
    expect((await publish(id)).data).toMatchObject({ variables: { deep: nested(62) } });
    expectInvalid(await write(id, { trigger, nodes: [], variables: { deep: nested(63) } }), "body", /65 levels/);
  });

  it("keeps U+0000 in texts of its nodes, as flows do", async () => {
    const { id } = await live();
    const text = "a\u0000b\ud800";
    const nodes = [node("say", "log", { message: text, [text]: 1 })];
    await written(id, { trigger, nodes, variables: { text, [text]: text } });
    const { data } = await get<Draft>(`/flows/${id}/draft`);
    expect(data.definition).toMatchObject({ variables: { text }, nodes: [{ config: { message: text } }] });
    expect((await publish(id)).data).toMatchObject({ version: 2, variables: { [text]: text } });
  });

  // Proves working-copies.revision
  it("counts its revisions, and If-Match compares them", async () => {
    const { id } = await live();
    expectRefusal(await write(id, definition("2"), '"1"'), 409, "CONFLICT");
    expect((await write(id, definition("2"), '"0"')).data.revision).toBe(1);
    const stale = await write(id, definition("3"), '"0"');
    expectRefusal(stale, 409, "CONFLICT");
    expect(stale.error.details).toEqual({ currentRevision: 1 });
    const next = await write(id, definition("3"), '"1"');
    expect(next.headers.get("etag")).toBe('"2"');
    expectRefusal(await del(`/flows/${id}/draft`, { headers: { "if-match": '"1"' } }), 409, "CONFLICT");
    expectRefusal(await publish(id, {}, { "if-match": '"1"' }), 409, "CONFLICT");
    expect((await publish(id, {}, { "if-match": '"2"' })).data.version).toBe(2);
  });

  // Proves working-copies.two-at-once
  it("of several writes that read the same, keeps one and refuses the others", async () => {
    const { id } = await live();
    const programs = ["2", "3", "4", "5"];
    const answers = await Promise.all(programs.map((program) => write(id, definition(program), '"0"')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const unguarded = await Promise.all(programs.map((program) => write(id, definition(program))));
    expect(unguarded.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get<Draft>(`/flows/${id}/draft`)).data.revision).toBe(5);
  });

  // Proves working-copies.same-flow
  it("is refused where the flow that its name was read from was changed since", async () => {
    const { id } = await live();
    const flow = async () => (await get<{ updatedAt: string }>(`/flows/${id}`)).data;
    const known = (await flow()).updatedAt;
    const renamed = definition("2", { name: "Test" });
    expect((await write(id, renamed, undefined, { flowUpdatedAt: known })).status).toBe(200);
    await patch(`/flows/${id}`, { name: "Renamed" });
    const { updatedAt } = await flow();
    const stale = await write(id, renamed, undefined, { flowUpdatedAt: known });
    expectRefusal(stale, 409, "CONFLICT");
    expect(stale.error.details).toEqual({ currentVersion: 1, updatedAt });
    expect((await get<Draft>(`/flows/${id}/draft`)).data).toMatchObject({
      revision: 1,
      definition: { name: "Renamed" },
    });
    const [written, renaming] = await Promise.all([
      write(id, definition("3"), undefined, { flowUpdatedAt: updatedAt }),
      patch(`/flows/${id}`, { name: "At once" }),
    ]);
    expect(renaming.status).toBe(200);
    expect([200, 409]).toContain(written.status);
    expect((await publish(id)).data).toMatchObject({ name: "At once", version: 2 });
    for (const given of ["yesterday", 5, null])
      expectInvalid(await write(id, renamed, undefined, { flowUpdatedAt: given }), "flowUpdatedAt");
  });

  // Proves working-copies.discard
  it("is gone once discarded, and the next one's revision is a new one", async () => {
    const { id } = await live();
    await written(id, definition("2"));
    expect((await del(`/flows/${id}/draft`)).status).toBe(204);
    expectRefusal(await get(`/flows/${id}/draft`), 404, "NOT_FOUND");
    expectRefusal(await del(`/flows/${id}/draft`), 404, "NOT_FOUND");
    expectRefusal(await publish(id), 404, "NOT_FOUND");
    expect((await write(id, definition("3"), '"0"')).data.revision).toBe(2);
    const log = await get<{ action: string }[]>(`/audit-log?subject=${id}`);
    expect(log.data.map(({ action }) => action)).toEqual(["flow.draft_discarded", "flow.created"]);
  });

  // Proves working-copies.gone-with-flow
  it("goes with its flow; a copy, an export and a check of credentials are of what is published", async () => {
    const { id } = await live();
    await written(id, definition("2", { name: "Not yet" }));
    const copy = await post<TestFlow>(`/flows/${id}/duplicate`);
    const copied = await get<TestFlow>(`/flows/${copy.data.id}`);
    expect(copied.data).toMatchObject({ nodes: [{ config: { transform: "1" } }], draft: null });
    const exported = await get(`/flows/${id}/export`);
    expect(exported.body).toMatchObject({ flow: { name: "Test", nodes: [{ config: { transform: "1" } }] } });
    expect((await del(`/flows/${id}`)).status).toBe(204);
    expectRefusal(await get(`/flows/${id}/draft`), 404, "NOT_FOUND");
    expectRefusal(await write(id, definition("2")), 404, "NOT_FOUND");
    expectRefusal(await publish(id), 404, "NOT_FOUND");
  });
});

describe("publishing", () => {
  interface Version {
    readonly version: number;
    readonly summary: string | null;
  }
  const history = async (id: string) =>
    (await get<Version[]>(`/flows/${id}/versions`)).data.map(({ version, summary }) => [version, summary]);

  // Proves working-copies.publish
  it("makes one version, with a summary of the changes or one's own", async () => {
    const { id } = await live({ settings: { canvas: { zoom: 2 } } });
    await written(id, definition("2", { name: "Renamed", settings: { timeoutMs: 9_000, canvas: { zoom: 3 } } }));
    const { status, data, headers } = await publish(id, { ifVersion: 1 });
    expect(status).toBe(200);
    const settings = { timeoutMs: 9_000, canvas: { zoom: 2 } };
    expect(data).toMatchObject({ id, name: "Renamed", status: "active", version: 2, settings });
    expect(headers.get("etag")).toBe('"2"');
    expect((await execute(id)).output).toBe(2);
    expectRefusal(await get(`/flows/${id}/draft`), 404, "NOT_FOUND");
    await written(id, definition("3"));
    await publish(id, { summary: "  Three it is " });
    expect(await history(id)).toEqual([
      [3, "Three it is"],
      [2, "Name: Renamed; t: transform; Settings: timeoutMs"],
      [1, null],
    ]);
    const log = await get<{ action: string; after: object }[]>(`/audit-log?subject=${id}&action=flow.published`);
    expect(log.data.map(({ after }) => after)).toMatchObject([{ version: 3 }, { version: 2 }]);
  });

  it("of what changes nothing makes no version", async () => {
    const { id } = await live();
    await written(id, definition("1"));
    expect((await publish(id)).data.version).toBe(1);
    expect(await history(id)).toEqual([[1, null]]);
    expectRefusal(await get(`/flows/${id}/draft`), 404, "NOT_FOUND");
  });

  // Proves working-copies.publish-checked
  it("is refused with every problem, and changes nothing", async () => {
    const { id } = await live();
    await written(id, { trigger, nodes: [node("ask", "http-request"), node("if", "if-else")] });
    const refused = await publish(id);
    expectRefusal(refused, 400, "VALIDATION_ERROR");
    expect(Object.keys(refused.error.details ?? {}).sort()).toEqual([
      "nodes[0].config.url",
      "nodes[1].config.condition",
    ]);
    expect((await execute(id)).output).toBe(1);
    expect((await get<Draft>(`/flows/${id}/draft`)).data.revision).toBe(1);
    for (const [body, field] of [
      [{ summary: "x".repeat(501) }, "summary"],
      [{ summary: "a\u0000" }, "summary"],
      [{ ifVersion: 0 }, "ifVersion"],
    ] as const)
      expectInvalid(await publish(id, body), field);
  });

  it("keeps a flow's status, and follows a schedule that changed", async () => {
    const { id } = await live({ trigger: { type: "schedule", config: { cron: "0 0 1 1 *" } } });
    const when = async () => (await get<{ nextRunAt: string | null }>(`/flows/${id}`)).data.nextRunAt;
    const before = await when();
    await written(id, { trigger: { type: "schedule", config: { cron: "0 0 2 1 *" } }, nodes: [] });
    expect(await when()).toBe(before);
    await publish(id);
    expect(await when()).not.toBe(before);
    await patch(`/flows/${id}`, { status: "inactive" });
    await written(id, { trigger: { type: "manual" }, nodes: [] });
    expect((await publish(id)).data.status).toBe("inactive");
    expect(await when()).toBeUndefined();
  });

  // Proves working-copies.publish-once
  it("happens once for a key, and once of many at a time", async () => {
    const { id } = await live();
    await written(id, definition("2"));
    const headers = { "idempotency-key": randomUUID() };
    const first = await publish(id, {}, headers);
    const second = await publish(id, {}, headers);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect([first.data.version, second.data.version]).toEqual([2, 2]);
    await written(id, definition("3"));
    const answers = await Promise.all(Array.from({ length: 4 }, () => publish(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect((await history(id)).map(([version]) => version)).toEqual([3, 2, 1]);
  });

  // Proves working-copies.patch, working-copies.conflict
  it("over a newer version is a conflict that carries the merge, to be written and published", async () => {
    const nodes = [transform("a", "1"), transform("b", "1")];
    const { id } = await live({ nodes, edges: [{ source: "a", target: "b" }] });
    const edges = [{ source: "a", target: "b" }];
    await written(id, { trigger, nodes: [transform("a", "2"), transform("b", "1")], edges });
    await patch(`/flows/${id}`, { nodes: [transform("a", "1"), transform("b", "$node.output * 10")] });
    const { data: draft } = await get<Draft>(`/flows/${id}/draft`);
    expect(draft).toMatchObject({ basedOn: 1, currentVersion: 2, revision: 1, changes: [{ nodeId: "a" }] });
    const refused = await publish(id);
    expectRefusal(refused, 409, "CONFLICT");
    const { merge, ...details } = refused.error.details as { merge: { definition: object } };
    expect(details).toEqual({ currentVersion: 2, basedOn: 1, revision: 1, conflicts: [] });
    const joined = await write(id, merge.definition, '"1"', { basedOn: 2 });
    expect(joined.data).toMatchObject({ basedOn: 2, revision: 2, changes: [{ nodeId: "a" }] });
    expect((await publish(id, { ifVersion: 2 })).data.version).toBe(3);
    expect((await execute(id)).output).toBe(20);
    await written(id, definition("4"));
    expectRefusal(await publish(id, { ifVersion: 2 }), 409, "CONFLICT");
  });

  // Proves working-copies.conflict
  it("has no merge where both sides changed the same", async () => {
    const { id } = await live();
    await written(id, definition("2"));
    await patch(`/flows/${id}`, { nodes: [transform("t", "3")] });
    expect((await publish(id)).error.details).toMatchObject({ merge: null, conflicts: ["t"] });
  });

  it("leaves a name and settings that only PATCH changed as they are", async () => {
    const { id } = await live({ settings: { timeoutMs: 1_000 } });
    await written(id, definition("2", { name: "Test", settings: { timeoutMs: 1_000, retentionDays: 3 } }));
    await patch(`/flows/${id}`, { name: "Patched", settings: { timeoutMs: 2_000 } });
    const { data } = await publish(id);
    expect(data).toMatchObject({ name: "Patched", settings: { timeoutMs: 2_000, retentionDays: 3 } });
  });
});
