import { describe, expect, inject, it } from "vitest";
import { del, get, patch, post } from "#e2e/support/api-client.ts";
import { createFlow, start } from "#e2e/support/flows.ts";
import { newTenant } from "#e2e/support/matrix/own-resources.ts";
import { newPerson, newWorkspaceId, signedIn, signedInAs, sql } from "#e2e/support/people.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  readonly subject: { readonly type: string; readonly id: string; readonly name: string | null };
  readonly requestId: string | null;
  readonly ip: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

const entriesOf = async (subject: string) => (await get<Entry[]>(`/audit-log?subject=${subject}`)).data;
const actionsOf = async (subject: string) => (await entriesOf(subject)).map(({ action }) => action).reverse();

describe("the audit log records", () => {
  it("has who did what to a flow, with which request, and what changed", async () => {
    const flow = await createFlow({ name: "Told" });
    const changed = await patch(`/flows/${flow.id}`, { name: "Told again", status: "inactive" });
    await patch(`/flows/${flow.id}`, { tags: ["quiet"] });
    await del(`/flows/${flow.id}`);
    const entries = await entriesOf(flow.id);
    expect(entries.map(({ action }) => action)).toEqual(["flow.deleted", "flow.updated", "flow.created"]);
    expect(entries[1]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      action: "flow.updated",
      actor: { kind: "key", id: expect.stringMatching(/^key_/), name: "Bootstrap" },
      subject: { type: "flow", id: flow.id, name: "Told again" },
      ip: expect.stringMatching(/127\.0\.0\.1|::1/),
      requestId: changed.headers.get("x-request-id"),
      before: { name: "Told", status: "draft", version: 1 },
      after: { name: "Told again", status: "inactive", version: 1 },
    });
  });

  it("has changes of keys, credentials and webhooks, without their secrets", async () => {
    const key = (await post<{ id: string; key: string }>("/api-keys", { name: "Told" })).data;
    await post(`/api-keys/${key.id}/rotate`, { graceSeconds: 5 });
    await del(`/api-keys/${key.id}`);
    expect(await actionsOf(key.id)).toEqual(["key.created", "key.rotated", "key.revoked"]);

    const value = "audit-canary-5b1f";
    const name = `told_${Date.now()}`;
    const credential = (await post<{ id: string }>("/credentials", { name, type: "secret", data: { value } })).data;
    await patch(`/credentials/${credential.id}`, { data: { value: `${value}-2` } });
    await del(`/credentials/${credential.id}`);
    expect(await actionsOf(credential.id)).toEqual(["credential.created", "credential.updated", "credential.deleted"]);

    const secret = `audit-canary-${"s".repeat(20)}`;
    const subscription = { url: "http://127.0.0.1:9999/audit-canary-path", events: ["execution.failed"], secret };
    const hook = await post<{ id: string }>("/webhooks", subscription);
    expect(hook.status).toBe(201);
    await patch(`/webhooks/${hook.data.id}`, { active: false, secret: `${secret}2` });
    await del(`/webhooks/${hook.data.id}`);
    expect(await actionsOf(hook.data.id)).toEqual(["webhook.created", "webhook.updated", "webhook.deleted"]);

    const all = JSON.stringify((await get("/audit-log?limit=100")).body);
    expect(all).not.toContain("audit-canary");
    expect(all).not.toContain(key.key.slice(10, 42));
  });

  it("has changes of alert rules, and bulk operations on runs", async () => {
    const flow = await createFlow({ nodes: [{ id: "wait", type: "wait", config: {} }] });
    const rule = (await post<{ id: string }>("/alert-rules", { name: "Told", kind: "duration" })).data;
    await patch(`/alert-rules/${rule.id}`, { threshold: 9 });
    await del(`/alert-rules/${rule.id}`);
    expect(await actionsOf(rule.id)).toEqual(["alert_rule.created", "alert_rule.updated", "alert_rule.deleted"]);
    expect((await entriesOf(rule.id))[1]).toMatchObject({ before: { threshold: 3 }, after: { threshold: 9 } });

    for (let run = 0; run < 2; run += 1) await start(flow.id);
    const filter = { flowId: flow.id };
    await post("/executions/bulk-cancel", { filter });
    await post("/executions/bulk-retry", { filter: { ...filter, status: ["cancelled"] } });
    await post("/executions/bulk-delete", { filter });
    const done = (await entriesOf(flow.id)).filter(({ subject }) => subject.type === "executions").reverse();
    expect(done.map(({ action, after }) => [action, after?.count])).toEqual([
      ["executions.cancelled", 2],
      ["executions.retried", 2],
    ]);
  });

  it("has actions on a single run", async () => {
    const flow = await createFlow({ nodes: [{ id: "wait", type: "wait", config: {} }] });
    const id = await start(flow.id);
    await post(`/executions/${id}/cancel`, { reason: "by hand" });
    const again = (await post<{ executionId: string }>(`/executions/${id}/retry`, { fromNode: "wait" })).data
      .executionId;
    await del(`/executions/${id}`);
    expect((await entriesOf(id)).reverse().map(({ action, after }) => [action, after])).toEqual([
      ["executions.cancelled", { count: 1, reason: "by hand" }],
      ["executions.retried", { count: 1, executionId: again, fromNode: "wait" }],
      ["executions.deleted", { count: 1 }],
    ]);
    await post(`/executions/${again}/cancel`, {});
  });

  it("has nothing about refused requests", async () => {
    const { key } = await newTenant("Refused");
    const before = (await get("/audit-log?limit=1", { key })).pagination.total;
    await patch("/flows/flow_01hzzzzzzzzzzzzzzzzzzzzzzz", { name: "x" }, { key });
    await post("/api-keys", { name: "" }, { key });
    await post("/credentials", { name: "no identifier", type: "secret", data: { value: "abcdef" } }, { key });
    expect((await get("/audit-log?limit=1", { key })).pagination.total).toBe(before);
  });

  it("has pages and filters", async () => {
    const flow = await createFlow({ name: "Sought" });
    const query = `/audit-log?action=flow.created&subjectType=flow&subject=${flow.id}&startDate=2026-01-01&limit=5`;
    const found = await get<Entry[]>(query);
    expect([found.status, found.pagination.total, found.data[0]?.subject.name]).toEqual([200, 1, "Sought"]);
    const actor = found.data[0]?.actor.id;
    expect((await get<Entry[]>(`${query}&actor=${actor}`)).data).toHaveLength(1);
    expect((await get<Entry[]>(`${query}&actor=user_x`)).data).toEqual([]);
    expect((await get<Entry[]>("/audit-log?endDate=2020-01-01")).data).toEqual([]);
    await patch(`/flows/${flow.id}`, { name: "Sought again" });
    const page = async (number: number) =>
      (await get<Entry[]>(`/audit-log?subject=${flow.id}&limit=1&page=${number}`)).data;
    expect([await page(1), await page(2)]).toMatchObject([[{ action: "flow.updated" }], [{ action: "flow.created" }]]);
    expectInvalid(await get("/audit-log?action=flow.eaten"), "action");
    expectInvalid(await get("/audit-log?subjectType=cake"), "subjectType");
    expectInvalid(await get("/audit-log?startDate=Tue"), "startDate");
  });
});

describe.skipIf(inject("server").dataDir === undefined)("the audit log", () => {
  it("is for owners", async () => {
    for (const role of ["editor", "viewer"] as const) {
      const answer = await (await signedInAs(role)).api("GET", "/audit-log");
      expectRefusal(answer, 403, "FORBIDDEN");
      expect(answer.error.details).toEqual({ required: "audit:read" });
    }
    expect((await (await signedInAs("owner")).api("GET", "/audit-log")).status).toBe(200);
  });

  it("names members by their address, and shows nothing of another workspace", async () => {
    const workspace = await newWorkspaceId();
    const [owner, other] = [await newPerson({ [workspace]: "owner" }), await newPerson({ [workspace]: "viewer" })];
    const browser = await signedIn(owner);
    await browser.api("PATCH", `/members/${other.id}`, { role: "editor" });
    const { data, pagination } = await browser.api<Entry[]>("GET", "/audit-log");
    expect(data[0]).toMatchObject({
      action: "member.role_changed",
      actor: { kind: "user", id: owner.id, name: owner.email },
      subject: { type: "member", id: other.id, name: other.email },
      before: { role: "viewer" },
      after: { role: "editor" },
    });
    expect(data.map(({ action }) => action)).toEqual(["member.role_changed", "session.started"]);
    expect(pagination.total).toBe(2);
    expect(await entriesOf(other.id)).toEqual([]);
  });

  it.each(["UPDATE audit_entry SET actor_name = 'nobody'", "DELETE FROM audit_entry", "TRUNCATE audit_entry"])(
    "refuses %s",
    async (statement) => {
      await expect(sql(statement)).rejects.toThrow("The audit log is only ever added to");
    },
  );

  it("loses old entries only through its own function", async () => {
    await sql(`INSERT INTO audit_entry (id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id)
      VALUES ('aud_old', 'ws_old', '2001-01-01', 'system', '', '', 'flow.deleted', 'flow', 'x')`);
    expect(await sql("SELECT delete_audit_entries_before('2002-01-01')::int AS gone")).toEqual([{ gone: 1 }]);
    await expect(sql("DELETE FROM audit_entry")).rejects.toThrow("only ever added to");
  });
});
