import { Secret, TOTP } from "otpauth";
import { describe, expect, inject, it } from "vitest";
import { baseUrl } from "#e2e/support/address.ts";
import { call } from "#e2e/support/api-client.ts";
import { Browser, newPerson, newWorkspaceId, type Person, signedIn, sql } from "#e2e/support/people.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly method: string;
}

const member = async () => await newPerson({ [await newWorkspaceId()]: "owner" });
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 });

describe.skipIf(inject("server").dataDir === undefined)("signing in", () => {
  it("sets a cookie that no script reads and no foreign request carries", async () => {
    const browser = new Browser();
    const person = await member();
    const { csrfToken } = await (await browser.fetch("/api/auth/csrf")).json();
    const fields = { csrfToken, email: person.email, password: person.password, json: "true" };
    const body = new URLSearchParams(fields);
    const answer = await browser.fetch("/api/auth/callback/credentials", { method: "POST", body });
    const cookie = answer.headers.getSetCookie().find((header) => header.includes("session-token")) ?? "";
    expect(cookie).toMatch(/^next-auth\.session-token=/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).toMatch(/; Path=\//i);
  });

  it("is refused alike for a wrong password and an unknown address, with the same message and in the same time", async () => {
    const person = await member();
    const times: Record<string, number[]> = { known: [], unknown: [] };
    for (let turn = 0; turn < 4; turn += 1) {
      for (const [kind, email] of [
        ["known", person.email],
        ["unknown", `nobody-${Date.now()}@example.com`],
      ] as const) {
        const startedAt = performance.now();
        expect(await new Browser().signIn(email, "not the password")).toBe("WrongPassword");
        times[kind]?.push(performance.now() - startedAt);
      }
    }
    // Argon2 takes tens of milliseconds: an answer without it would be several times as fast. The fastest of four is
    // compared, because a busy machine makes some slow and none fast.
    const [known, unknown] = [Math.min(...(times.known ?? [])), Math.min(...(times.unknown ?? []))];
    expect(unknown).toBeGreaterThan(known / 3);
    expect(known).toBeGreaterThan(unknown / 3);
  });

  it.each([
    ["a list of addresses", "a@x.com,b@y.com"],
    ["a line break", "a@x.com\r\nb"],
    ["U+0000", "\u0000"],
    ["SQL", "' OR 1=1 --"],
    ["markup", "<script>"],
    ["100,000 letters", "x".repeat(100_000)],
  ])("as %s is a wrong password", async (_, email) => {
    expect(await new Browser().signIn(email, "x")).toBe("WrongPassword");
  });

  it("is delayed after consecutive failures, briefly, and only for whoever failed", async () => {
    const [person, other] = [await member(), await member()];
    const errors: (string | null)[] = [];
    for (let turn = 0; turn < 8; turn += 1) errors.push(await new Browser().signIn(person.email, "wrong"));
    expect(errors.slice(0, 5)).toEqual(Array(5).fill("WrongPassword"));
    expect(errors.slice(5)).toContain("TooManyAttempts");
    // Even with the right password, or guessing would continue; and for an address without an account.
    expect(await new Browser().signIn(other.email, other.password)).toBeNull();
    await sql("UPDATE sign_in_failure SET last_at = last_at - interval '61 seconds'");
    expect(await new Browser().signIn(person.email, person.password)).toBeNull();
  });

  it("concurrent attempts do not slip past the count", async () => {
    const person = await member();
    const tries = Array.from({ length: 16 }, () => new Browser().signIn(person.email, "wrong"));
    const errors = await Promise.all(tries);
    expect(errors.filter((error) => error === "WrongPassword").length).toBeLessThanOrEqual(7);
    expect(errors).toContain("TooManyAttempts");
    await sql("DELETE FROM sign_in_failure");
  });

  it("with a target that is no URL is refused, and a cookie that names such a target is removed", async () => {
    const browser = await signedIn(await member());
    for (const url of ["javascript:alert(1)", "https://", "no page"]) {
      const answer = await browser.fetch(`/api/auth/csrf?callbackUrl=${encodeURIComponent(url)}`);
      expect(answer.status).toBe(400);
      expect((await answer.json()).error.code).toBe("VALIDATION_ERROR");
    }
    for (const value of ["no%20page", "%", "javascript%3A1"]) {
      const cookie = `next-auth.callback-url=${value}`;
      const answer = await fetch(`${baseUrl()}/api/auth/csrf?a=b`, { headers: { cookie }, redirect: "manual" });
      expect(answer.status).toBe(307);
      expect(answer.headers.get("location")).toBe("/api/auth/csrf?a=b");
      expect(answer.headers.get("set-cookie")).toMatch(/^next-auth\.callback-url=; Path=\/; Max-Age=0/);
    }
  });

  it("with another site's page as the target leads to our own", async () => {
    const browser = await signedIn(await member());
    for (const url of ["//evil.example", "https://evil.example/", "javascript:alert(1)", "/\\evil.example"]) {
      const answer = await browser.fetch(`/api/auth/signin?callbackUrl=${encodeURIComponent(url)}`);
      expect(answer.headers.get("location") ?? "").not.toMatch(/^(https?:)?[\\/]{2}evil|^javascript/);
    }
    const page = await browser.fetch(`/sign-in?next=${encodeURIComponent("//evil.example")}`);
    expect(new URL(page.headers.get("location") ?? "/", baseUrl()).host).toBe(new URL(baseUrl()).host);
  });
});

describe.skipIf(inject("server").dataDir === undefined)("sessions", () => {
  it("are listed, and ended one by one or all but this", async () => {
    const person = await member();
    const browsers = [await signedIn(person), await signedIn(person), await signedIn(person)] as const;
    const [here, there, elsewhere] = browsers;
    const list = (await here.api<Session[]>("GET", "/account/sessions")).data;
    expect(list).toHaveLength(3);
    expect(list.filter(({ current }) => current)).toEqual([expect.objectContaining({ method: "password" })]);
    const other = (await there.api<Session[]>("GET", "/account/sessions")).data.find(({ current }) => current);

    expect((await here.api("DELETE", `/account/sessions/${other?.id}`)).status).toBe(204);
    expectRefusal(await there.api("GET", "/flows"), 401, "UNAUTHORIZED");
    expect((await elsewhere.api("GET", "/flows")).status).toBe(200);
    expect((await here.api<object>("DELETE", "/account/sessions")).data).toEqual({ ended: 1 });
    expectRefusal(await elsewhere.api("GET", "/flows"), 401, "UNAUTHORIZED");
    expect((await here.api("GET", "/flows")).status).toBe(200);
  });

  it("end permanently by signing out: their cookie stops working", async () => {
    const browser = await signedIn(await member());
    const before = browser.cookieHeader();
    await browser.signOut();
    expectRefusal(await browser.api("GET", "/flows", undefined, { cookie: before }), 401, "UNAUTHORIZED");
  });

  it("of others are not found", async () => {
    const [mine, theirs] = [await signedIn(await member()), await signedIn(await member())];
    const id = (await theirs.api<Session[]>("GET", "/account/sessions")).data[0]?.id;
    expectRefusal(await mine.api("DELETE", `/account/sessions/${id}`), 404, "NOT_FOUND");
    expectRefusal(await mine.api("DELETE", "/account/sessions/x"), 404, "NOT_FOUND");
    expect((await theirs.api("GET", "/flows")).status).toBe(200);
  });

  it("without a workspace lead to a page that says so", async () => {
    const browser = await signedIn(await newPerson());
    expectRefusal(await browser.api("GET", "/flows"), 401, "UNAUTHORIZED");
    const answer = await browser.fetch("/flows");
    expect([answer.status, answer.headers.get("location")]).toEqual([307, "/no-workspace"]);
    expect(await (await browser.fetch("/no-workspace")).text()).toContain("You are not in a workspace");
  });
});

describe.skipIf(inject("server").dataDir === undefined)("one's own account", () => {
  it("has a new name from now on", async () => {
    const browser = await signedIn(await member());
    const { data } = await browser.api<{ name: string }>("PATCH", "/account", { name: " Ada " });
    expect(data.name).toBe("Ada");
    expectInvalid(await browser.api("PATCH", "/account", { name: "" }), "name");
  });

  it("has a new password once the old one is given, and all other sessions end", async () => {
    const person = await member();
    const [here, there] = [await signedIn(person), await signedIn(person)];
    const wrong = await here.api("POST", "/account/password", { currentPassword: "no", newPassword: "long enough" });
    expectInvalid(wrong, "currentPassword");
    expectInvalid(await here.api("POST", "/account/password", { newPassword: "long enough" }), "currentPassword");
    const short = { currentPassword: person.password, newPassword: "short" };
    expectInvalid(await here.api("POST", "/account/password", short), "newPassword");
    const change = { currentPassword: person.password, newPassword: "long enough" };
    expect((await here.api("POST", "/account/password", change)).status).toBe(204);
    expectRefusal(await there.api("GET", "/flows"), 401, "UNAUTHORIZED");
    expect((await here.api("GET", "/flows")).status).toBe(200);
    expect(await new Browser().signIn(person.email, person.password)).toBe("WrongPassword");
    expect(await new Browser().signIn(person.email, "long enough")).toBeNull();
  });
});

describe.skipIf(inject("server").dataDir === undefined)("an authenticator app", () => {
  async function withApp(): Promise<{ person: Person; browser: Browser; secret: string; recoveryCodes: string[] }> {
    const person = await member();
    const browser = await signedIn(person);
    const { password } = person;
    const { secret } = (await browser.api<{ secret: string }>("POST", "/account/two-factor", { password })).data;
    const confirmed = await browser.api<{ recoveryCodes: string[] }>("POST", "/account/two-factor/confirm", {
      code: codeOf(secret, -1),
    });
    expect(confirmed.status).toBe(200);
    return { person, browser, secret, recoveryCodes: confirmed.data.recoveryCodes };
  }

  it("requires a code from then on, each of which works once", async () => {
    const { person, secret } = await withApp();
    const { email, password } = person;
    expect(await new Browser().signIn(email, password)).toBe("CodeRequired");
    expect(await new Browser().signIn(email, password, "000000")).toBe("WrongCode");
    expect(await new Browser().signIn(email, "wrong", codeOf(secret))).toBe("WrongPassword");
    const code = codeOf(secret);
    expect(await new Browser().signIn(email, password, code)).toBeNull();
    expect(await new Browser().signIn(email, password, code)).toBe("WrongCode");
  });

  it("accepts a recovery code, once, whichever of two requests is first", async () => {
    const { person, recoveryCodes } = await withApp();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = ""] = recoveryCodes;
    const both = [1, 2].map(() => new Browser().signIn(person.email, person.password, ` ${code.toUpperCase()} `));
    expect((await Promise.all(both)).sort()).toEqual(["WrongCode", null]);
    const [row] = await sql("SELECT * FROM two_factor WHERE user_id = $1", [person.id]);
    const storedText = JSON.stringify([row, await sql("SELECT * FROM recovery_code WHERE user_id = $1", [person.id])]);
    for (const code of recoveryCodes) expect(storedText).not.toContain(code);
  });

  it("cannot be started without the password, confirmed by a wrong code, or started twice", async () => {
    const person = await member();
    const browser = await signedIn(person);
    expectInvalid(await browser.api("POST", "/account/two-factor", {}), "password");
    expectInvalid(await browser.api("POST", "/account/two-factor", { password: "wrong" }), "password");
    const none = await browser.api("POST", "/account/two-factor/confirm", { code: "123456" });
    expect(none.error).toMatchObject({ code: "INVALID_STATUS", details: { currentStatus: "disabled" } });
    await browser.api("POST", "/account/two-factor", { password: person.password });
    expectInvalid(await browser.api("POST", "/account/two-factor/confirm", { code: "000000" }), "code");
    expect(await new Browser().signIn(person.email, person.password)).toBeNull();
    const { browser: other, person: owner } = await withApp();
    const again = await other.api("POST", "/account/two-factor", { password: owner.password });
    expect(again.error).toMatchObject({ code: "INVALID_STATUS", details: { currentStatus: "enabled" } });
  });

  it("is turned off with a code, and gets new recovery codes with one", async () => {
    const { person, browser, recoveryCodes } = await withApp();
    expectInvalid(await browser.api("POST", "/account/two-factor/disable", { code: "000000" }), "code");
    const [first, second] = recoveryCodes;
    const renewed = await browser.api<{ recoveryCodes: string[] }>("POST", "/account/two-factor/recovery-codes", {
      code: first,
    });
    expect(renewed.data.recoveryCodes).toHaveLength(10);
    expectInvalid(await browser.api("POST", "/account/two-factor/disable", { code: second }), "code");
    const code = renewed.data.recoveryCodes[0];
    expect((await browser.api("POST", "/account/two-factor/disable", { code })).status).toBe(204);
    expect(await new Browser().signIn(person.email, person.password)).toBeNull();
    expect((await browser.api<{ twoFactor: boolean }>("GET", "/account")).data.twoFactor).toBe(false);
  });
});

it("keys cannot use personal operations", async () => {
  const own = [
    ["PATCH", "/account", {}],
    ["GET", "/account/sessions"],
    ["DELETE", "/account/sessions"],
    ["DELETE", "/account/sessions/x"],
    ["POST", "/account/password", { newPassword: "long enough" }],
    ["POST", "/account/two-factor", {}],
    ["POST", "/account/two-factor/confirm", { code: "123456" }],
    ["POST", "/account/two-factor/disable", { code: "123456" }],
    ["POST", "/account/two-factor/recovery-codes", { code: "123456" }],
    ["DELETE", "/account/providers/github"],
  ] as const;
  for (const [method, path, body] of own) {
    const answer = await call(method, path, body);
    expectRefusal(answer, 403, "FORBIDDEN");
    expect(answer.error.details).toEqual({ required: "session" });
  }
});
