import { describe, expect, inject, it } from "vitest";
import { baseUrl } from "#e2e/support/address.ts";
import { del, get, post } from "#e2e/support/api-client.ts";
import { newPerson, ownWorkspaceId, sql } from "#e2e/support/people.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly url: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

let count = 0;
const newEmail = () => `guest-${Date.now()}-${count++}@example.com`;
const invite = (email: string, role = "editor") => post<Invitation>("/invitations", { email, role });
const listed = async () => (await get<Invitation[]>("/invitations?limit=100")).data;

describe("an invitation", () => {
  // Proves authentication.invitations
  it("shows its link once, and is listed without it", async () => {
    const email = newEmail();
    const { status, data } = await invite(`  ${email.toUpperCase()} `);
    expect(status).toBe(201);
    expect(data).toMatchObject({ email, role: "editor", invitedBy: "the API key Bootstrap", mailed: false });
    expect(data.url).toMatch(new RegExp(`^${baseUrl()}/invitations/[\\w-]{43}$`));
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(7 * 86_400_000);
    const { url: _, mailed: __, ...shown } = data as Invitation & { mailed: boolean };
    expect((await listed())[0]).toEqual(shown);
  });

  it("exists once per address: a second one replaces the first", async () => {
    const email = newEmail();
    const [first, second] = [(await invite(email)).data, (await invite(email, "viewer")).data];
    expect(second.id).toBe(first.id);
    expect(second.url).not.toBe(first.url);
    const open = (await listed()).filter((invitation) => invitation.email === email);
    expect(open).toEqual([expect.objectContaining({ role: "viewer" })]);
    const pages = await Promise.all([first, second].map(async ({ url }) => (await fetch(url)).text()));
    expect(pages[0]).toContain("This invitation is no longer valid");
    expect(pages[1]).toContain("Join");
  });

  it("for one address by two at once is one", async () => {
    const email = newEmail();
    const answers = await Promise.all([invite(email), invite(email), invite(email)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await listed()).filter((invitation) => invitation.email === email)).toHaveLength(1);
  });

  // Proves authentication.invitations
  it("cannot be used once withdrawn", async () => {
    const { id, url } = (await invite(newEmail())).data;
    expect((await del(`/invitations/${id}`)).status).toBe(204);
    expect(await (await fetch(url)).text()).toContain("This invitation is no longer valid");
    expectRefusal(await del(`/invitations/${id}`), 404, "NOT_FOUND");
  });

  it.each([
    ["a list of addresses", "a@example.com,b@example.com"],
    ["two addresses", "a@example.com b@example.com"],
    ["a line break", "a@example.com\r\nBcc: b@example.com"],
    ["markup", "<b>a</b>@example.com"],
    ["U+0000", "a\u0000@example.com"],
    ["no domain", "a@"],
    ["too long a name", `${"a".repeat(300)}@example.com`],
    ["a number", 5],
    ["an object", { not: "" }],
  ])("is not for %s", async (_, email) => {
    expectInvalid(await post("/invitations", { email, role: "viewer" }), "email");
  });

  it("has one of the roles", async () => {
    expectInvalid(await post("/invitations", { email: newEmail(), role: "admin" }), "role");
    expectInvalid(await post("/invitations", { email: newEmail() }), "role");
  });

  it.each(["x", "inv_01hzzzzzzzzzzzzzzzzzzzzzzz", "%00", "key_01hzzzzzzzzzzzzzzzzzzzzzzz"])(
    "%s does not exist",
    async (id) => {
      expectRefusal(await del(`/invitations/${id}`), 404, "NOT_FOUND");
    },
  );
});

describe.skipIf(inject("server").dataDir === undefined)("an invitation, seen from the database", () => {
  it("is refused for an existing member", async () => {
    const { email } = await newPerson({ [await ownWorkspaceId()]: "viewer" });
    expectRefusal(await invite(email), 409, "CONFLICT");
  });

  it("is stored as a hash", async () => {
    const { id, url } = (await invite(newEmail())).data;
    const token = url.split("/").at(-1) ?? "";
    const [row] = await sql("SELECT * FROM invitation WHERE id = $1", [id]);
    expect(JSON.stringify(row)).not.toContain(token);
  });
});
