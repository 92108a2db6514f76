import { beforeAll, describe, expect, inject, it } from "vitest";
import { del, get, patch, post } from "#e2e/support/api-client.ts";
import {
  type Browser,
  newPerson,
  newWorkspaceId,
  ownWorkspaceId,
  type Person,
  signedIn,
  sql,
} from "#e2e/support/people.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}

describe.skipIf(inject("server").dataDir === undefined)("members", () => {
  let workspaceId: string;
  let owner: Browser;
  let boss: Person;
  let editor: Person;
  let viewer: Person;

  beforeAll(async () => {
    workspaceId = await newWorkspaceId("Crew");
    boss = await newPerson({ [workspaceId]: "owner" });
    editor = await newPerson({ [workspaceId]: "editor" });
    viewer = await newPerson({ [workspaceId]: "viewer" });
    owner = await signedIn(boss);
  });

  const rolesNow = async () => {
    const { data } = await owner.api<Member[]>("GET", "/members");
    return Object.fromEntries(data.map(({ email, role }) => [email, role]));
  };

  // Proves authentication.members
  it("are listed with their roles, in the order in which they joined", async () => {
    const { status, data, pagination } = await owner.api<Member[]>("GET", "/members");
    expect(status).toBe(200);
    expect(pagination).toMatchObject({ total: 3, page: 1 });
    expect(data.map(({ email, role }) => [email, role])).toEqual([
      [boss.email, "owner"],
      [editor.email, "editor"],
      [viewer.email, "viewer"],
    ]);
    expect(data[0]).toEqual({
      id: boss.id,
      name: "Ann",
      email: boss.email,
      role: "owner",
      twoFactor: false,
      joinedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await owner.api<Member[]>("GET", "/members?limit=1&page=2")).data.map(({ id }) => id)).toEqual([editor.id]);
  });

  it("are visible to all of them, and changed by owners only", async () => {
    for (const person of [editor, viewer]) {
      const browser = await signedIn(person);
      expect((await browser.api("GET", "/members")).status).toBe(200);
      const calls = [
        browser.api("PATCH", `/members/${viewer.id}`, { role: "owner" }),
        browser.api("DELETE", `/members/${viewer.id}`),
        browser.api("POST", "/invitations", { email: "x@example.com", role: "viewer" }),
        browser.api("PATCH", `/workspaces/${workspaceId}`, { name: "Taken" }),
      ];
      for (const answer of await Promise.all(calls)) {
        expectRefusal(answer, 403, "FORBIDDEN");
        expect(answer.error.details).toEqual({ required: "members:write" });
        expect(answer.error.message).toBe("Your role does not allow members:write");
      }
    }
  });

  // Proves authentication.members
  it("have a new role from their next request on", async () => {
    const browser = await signedIn(viewer);
    expectRefusal(await browser.api("POST", "/flows", {}), 403, "FORBIDDEN");
    const changed = await owner.api<Member>("PATCH", `/members/${viewer.id}`, { role: "editor" });
    expect([changed.status, changed.data.role]).toEqual([200, "editor"]);
    expectRefusal(await browser.api("POST", "/flows", {}), 400, "VALIDATION_ERROR");
    await owner.api("PATCH", `/members/${viewer.id}`, { role: "viewer" });
    expectRefusal(await browser.api("POST", "/flows", {}), 403, "FORBIDDEN");
  });

  it.each([{ role: "root" }, { role: null }, {}])("cannot have the role of %j", async (body) => {
    expectInvalid(await owner.api("PATCH", `/members/${viewer.id}`, body), "role", /owner, editor, viewer/);
  });

  it("keep their last owner", async () => {
    const last = { code: "INVALID_STATUS", details: { currentStatus: "last_owner" } };
    const demoted = await owner.api("PATCH", `/members/${boss.id}`, { role: "editor" });
    expect([demoted.status, demoted.error]).toEqual([400, expect.objectContaining(last)]);
    expect((await owner.api("DELETE", `/members/${boss.id}`)).error).toMatchObject(last);
    expect((await owner.api("POST", `/workspaces/${workspaceId}/leave`)).error).toMatchObject(last);
    expect(await rolesNow()).toMatchObject({ [boss.email]: "owner" });
  });

  it("keep one of two owners who leave at once", async () => {
    const id = await newWorkspaceId("Two");
    const people = [await newPerson({ [id]: "owner" }), await newPerson({ [id]: "owner" })];
    const browsers = await Promise.all(people.map(signedIn));
    const left = await Promise.all(browsers.map((browser) => browser.api("POST", `/workspaces/${id}/leave`)));
    expect(left.map(({ status }) => status).sort()).toEqual([204, 400]);
    expect(await sql("SELECT role FROM membership WHERE workspace_id = $1", [id])).toEqual([{ role: "owner" }]);
  });

  it("are refused from their next request on when removed", async () => {
    const person = await newPerson({ [workspaceId]: "editor" });
    const browser = await signedIn(person);
    expect((await browser.api("GET", "/flows")).status).toBe(200);
    expect((await owner.api("DELETE", `/members/${person.id}`)).status).toBe(204);
    expectRefusal(await browser.api("GET", "/flows"), 401, "UNAUTHORIZED");
    expectRefusal(await owner.api("DELETE", `/members/${person.id}`), 404, "NOT_FOUND");
  });

  it("of another workspace are not found", async () => {
    for (const answer of [
      await patch(`/members/${viewer.id}`, { role: "owner" }),
      await del(`/members/${viewer.id}`),
      await owner.api("DELETE", "/members/x"),
      await owner.api("PATCH", "/members/%00", { role: "viewer" }),
    ]) {
      expectRefusal(answer, 404, "NOT_FOUND");
    }
    expect(await rolesNow()).toMatchObject({ [viewer.email]: "viewer" });
  });

  it("cannot get, through a key, rights that the key does not have", async () => {
    const own = await ownWorkspaceId();
    const person = await newPerson({ [own]: "owner" });
    const scopes = ["members:read", "members:write", "flows:read"];
    const { key } = (await post<{ key: string }>("/api-keys", { name: "Weak", scopes })).data;
    const weak = { key };
    expectRefusal(await post("/invitations", { email: "a@example.com", role: "owner" }, weak), 403, "FORBIDDEN");
    expectRefusal(await patch(`/members/${person.id}`, { role: "viewer" }, weak), 403, "FORBIDDEN");
    expectRefusal(await del(`/members/${person.id}`, weak), 403, "FORBIDDEN");
    expect((await get<Member[]>("/members?limit=100", weak)).data.find(({ id }) => id === person.id)?.role).toBe(
      "owner",
    );
  });
});
