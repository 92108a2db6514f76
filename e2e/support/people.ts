// People who sign in, for tests: inserted into the running server's database, as an invitation would, and signed in
// like a browser.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { hashPassword } from "#lib/auth/password.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { newId } from "#lib/platform/ids.ts";
import { baseUrl } from "./address.ts";
import { type CallOptions, call, get } from "./api-client.ts";
import { databaseUrlOf } from "./second-workspace.ts";

export type Role = "owner" | "editor" | "viewer";

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** Runs SQL in the server's database. */
export async function sql<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = await connect(databaseUrlOf(inject("server").dataDir ?? ""));
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** The id of the workspace of the tests' own key. */
export async function ownWorkspaceId(): Promise<string> {
  return (await get<{ workspace: { id: string } }>("/account")).data.workspace.id;
}

export async function newWorkspaceId(name = "Another"): Promise<string> {
  const id = newId("workspace");
  await sql("INSERT INTO workspace (id, name, tier) VALUES ($1, $2, 'enterprise')", [id, name]);
  return id;
}

/** An account with these memberships. */
export async function newPerson(memberships: Readonly<Record<string, Role>> = {}): Promise<Person> {
  const id = newId("user");
  const password = randomBytes(12).toString("hex");
  const email = `${id.slice(-12)}@example.com`;
  await sql(`INSERT INTO "user" (id, email, name, password_hash) VALUES ($1, $2, 'Ann', $3)`, [
    id,
    email,
    await hashPassword(password),
  ]);
  for (const [workspaceId, role] of Object.entries(memberships)) {
    await sql("INSERT INTO membership (workspace_id, user_id, role) VALUES ($1, $2, $3)", [workspaceId, id, role]);
  }
  return { id, email, password };
}

/** A browser's cookies, and the calls that it makes with them. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #base: string;

  constructor(base = baseUrl()) {
    this.#base = base;
  }

  /** Signs in as next-auth does; returns its error, null on success. */
  async signIn(email: string, password: string, code = ""): Promise<string | null> {
    const { csrfToken } = await (await this.fetch("/api/auth/csrf")).json();
    const fields = { csrfToken, email, password, code, json: "true", callbackUrl: this.#base };
    const answer = await this.fetch("/api/auth/callback/credentials", {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    const { url } = await answer.json();
    return new URL(url).searchParams.get("error");
  }

  async signOut(): Promise<void> {
    const { csrfToken } = await (await this.fetch("/api/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, json: "true", callbackUrl: this.#base });
    await this.fetch("/api/auth/signout", { method: "POST", body });
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", this.cookieHeader());
    const answer = await fetch(`${this.#base}${path}`, { redirect: "manual", ...init, headers });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const at = pair.indexOf("=");
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Calls the API as the app's own pages do. */
  api<Data = unknown>(method: string, path: string, body?: unknown, headers: CallOptions["headers"] = {}) {
    const own = { cookie: this.cookieHeader(), origin: this.#base, ...headers };
    return call<Data>(method, path, body, { key: null, base: `${this.#base}/api/v1`, headers: own });
  }
}

/** A browser in which this person is signed in. */
export async function signedIn({ email, password }: Person): Promise<Browser> {
  const browser = new Browser();
  const error = await browser.signIn(email, password);
  if (error !== null) throw new Error(`${email} could not sign in: ${error}`);
  return browser;
}

/** A new member with this role in the tests' own workspace, signed in. */
export async function signedInAs(role: Role): Promise<Browser & { person: Person }> {
  const person = await newPerson({ [await ownWorkspaceId()]: role });
  return Object.assign(await signedIn(person), { person });
}
