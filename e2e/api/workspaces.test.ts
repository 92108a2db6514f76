import { describe, expect, inject, it } from "vitest";
import { get, patch, post } from "#e2e/support/api-client.ts";
import { newPerson, newWorkspaceId, ownWorkspaceId, signedIn } from "#e2e/support/people.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly current: boolean;
}

describe("a key", () => {
  it("sees its own workspace, and itself", async () => {
    const { data } = await get<Workspace[]>("/workspaces");
    expect(data).toEqual([expect.objectContaining({ role: null, current: true })]);
    const account = await get<Record<string, unknown>>("/account");
    expect(account.data).toMatchObject({
      kind: "key",
      name: "Bootstrap",
      email: null,
      role: null,
      twoFactor: null,
      workspace: { id: data[0]?.id, tier: "enterprise" },
    });
  });

  it.each([
    ["POST", "/workspaces"],
    ["POST", "/workspaces/:own/switch"],
    ["POST", "/workspaces/:own/leave"],
  ])("cannot %s %s", async (_, path) => {
    const own = (await get<Workspace[]>("/workspaces")).data[0]?.id ?? "";
    const answer = await post(path.replace(":own", own), { name: "New" });
    expectRefusal(answer, 403, "FORBIDDEN");
    expect(answer.error.details).toEqual({ required: "session" });
  });

  it("renames its workspace, and no other", async () => {
    const [before] = (await get<Workspace[]>("/workspaces")).data;
    const renamed = await patch<Workspace>(`/workspaces/${before?.id}`, { name: " Engine room " });
    expect([renamed.status, renamed.data.name]).toEqual([200, "Engine room"]);
    await patch(`/workspaces/${before?.id}`, { name: before?.name });
    expectRefusal(await patch("/workspaces/ws_01hzzzzzzzzzzzzzzzzzzzzzzz", { name: "x" }), 404, "NOT_FOUND");
    expectInvalid(await patch(`/workspaces/${before?.id}`, { name: " " }), "name");
  });

  it("sets how long runs are kept and the time zone, and resets both", async () => {
    const path = `/workspaces/${(await get<Workspace[]>("/workspaces")).data[0]?.id}`;
    const set = await patch(path, { retentionDays: 36_500, timezone: "Asia/Tokyo" });
    expect(set.data).toMatchObject({ retentionDays: 36_500, timezone: "Asia/Tokyo" });
    expect((await patch(path, { timezone: null })).data).toMatchObject({ retentionDays: 36_500, timezone: null });
    expect((await patch(path, { retentionDays: null })).data).toMatchObject({ retentionDays: null });
    for (const wrong of [{ retentionDays: 0 }, { retentionDays: 36_501 }, { timezone: "Mars/Olympus" }]) {
      expectInvalid(await patch(path, wrong), Object.keys(wrong)[0] ?? "");
    }
  });

  it("sees what the workspace uses", async () => {
    const { data } = await get<{ requests: { used: number; resetAt: string } }>("/usage");
    expect(data).toMatchObject({ tier: "enterprise", retentionDays: null });
    expect(Date.parse(data.requests.resetAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });
});

describe.skipIf(inject("server").dataDir === undefined)("a person in several workspaces", () => {
  it("sees them by name with their roles, and works in one at a time", async () => {
    const [first, second] = [await newWorkspaceId("Mill"), await newWorkspaceId("Barn")];
    const person = await newPerson({ [first]: "owner", [second]: "viewer" });
    const browser = await signedIn(person);
    const seen = async () =>
      (await browser.api<Workspace[]>("GET", "/workspaces")).data.map(({ name, role, current }) => [
        name,
        role,
        current,
      ]);
    expect(await seen()).toEqual([
      ["Barn", "viewer", false],
      ["Mill", "owner", true],
    ]);
    const made = await browser.api<{ id: string }>("POST", "/flows", {
      name: "Here",
      trigger: { type: "manual" },
      nodes: [],
    });
    expect(made.status).toBe(201);

    const switched = await browser.api<Workspace>("POST", `/workspaces/${second}/switch`);
    expect([switched.status, switched.data]).toEqual([200, expect.objectContaining({ name: "Barn", current: true })]);
    expect((await browser.api("GET", `/flows/${made.data.id}`)).status).toBe(404);
    expectRefusal(await browser.api("DELETE", `/flows/${made.data.id}`), 403, "FORBIDDEN");
    // The next session starts where this one is; another open one stays where it was.
    expect((await (await signedIn(person)).api<{ role: string }>("GET", "/account")).data.role).toBe("viewer");

    await browser.api("POST", `/workspaces/${second}/leave`);
    expect(await seen()).toEqual([["Mill", "owner", true]]);
    expectRefusal(await browser.api("POST", `/workspaces/${second}/switch`), 404, "NOT_FOUND");
  });

  it("cannot enter one that is not theirs", async () => {
    const own = await newWorkspaceId();
    const browser = await signedIn(await newPerson({ [own]: "owner" }));
    const foreign = await ownWorkspaceId();
    for (const path of [`/workspaces/${foreign}/switch`, `/workspaces/${foreign}/leave`, "/workspaces/x/switch"]) {
      expectRefusal(await browser.api("POST", path), 404, "NOT_FOUND");
    }
    expectRefusal(await browser.api("PATCH", `/workspaces/${foreign}`, { name: "Mine" }), 404, "NOT_FOUND");
  });

  it("creates one as an owner of another, and is switched to it", async () => {
    const own = await newWorkspaceId();
    const owner = await signedIn(await newPerson({ [own]: "owner" }));
    const made = await owner.api<Workspace>("POST", "/workspaces", { name: "New" });
    expect([made.status, made.data]).toEqual([201, expect.objectContaining({ role: "owner", current: true })]);
    expect((await owner.api<{ workspace: object }>("GET", "/account")).data.workspace).toMatchObject({
      id: made.data.id,
      tier: "free",
    });
    const editor = await signedIn(await newPerson({ [own]: "editor" }));
    const refused = await editor.api("POST", "/workspaces", { name: "New" });
    expectRefusal(refused, 403, "FORBIDDEN");
    expect(refused.error.details).toEqual({ required: "owner" });
  });

  it("saves filters of runs there, which nobody else sees", async () => {
    const [here, there] = [await newWorkspaceId(), await newWorkspaceId()];
    const person = await signedIn(await newPerson({ [here]: "viewer", [there]: "viewer" }));
    const other = await signedIn(await newPerson({ [here]: "owner" }));
    const path = "/account/saved-filters";
    const list = async (browser: typeof person) =>
      (await browser.api<{ id: string; name: string; filter: object }[]>("GET", path)).data;
    const save = (name: string, filter: object) => person.api("POST", path, { name, filter });
    expect((await save("Slow", { min: "1000" })).status).toBe(201);
    expect((await save("Failed", { status: "failed" })).status).toBe(201);
    await Promise.all([save("Slow", { min: "2000" }), save("Slow", { min: "2000" })]);
    const [failed, slow] = await list(person);
    expect([failed, slow]).toMatchObject([
      { name: "Failed", filter: { status: "failed" } },
      { name: "Slow", filter: { min: "2000" } },
    ]);
    expect(await list(other)).toEqual([]);
    expectRefusal(await other.api("DELETE", `${path}/${slow?.id}`), 404, "NOT_FOUND");
    await person.api("POST", `/workspaces/${there}/switch`);
    expect(await list(person)).toEqual([]);
    await person.api("POST", `/workspaces/${here}/switch`);
    expect((await person.api("DELETE", `${path}/${slow?.id}`)).status).toBe(204);
    expect((await list(person)).map(({ name }) => name)).toEqual(["Failed"]);
    expectInvalid(await save("", { status: "failed" }), "name");
    expectInvalid(await save("Odd", { status: "x".repeat(1_001) }), "filter.status");
  });
});
