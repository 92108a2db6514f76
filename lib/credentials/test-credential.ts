import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireScope } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { listModels, type ModelServer, modelServerOf } from "#lib/models/model-server.ts";
import { applyCredential, hostFailure, mayBeSentTo } from "#lib/nodes/http-request/apply-credential.ts";
import { database } from "#lib/platform/database.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { imapServerOf, isSqlServer, mailServerOf, sqliteFileOf, sqlServerOf } from "./credential-servers.ts";
import { findCredential } from "./credentials.ts";
import { withAccess } from "./oauth/use-connection.ts";
import { type OpenCredential, openCredentials, UnreadableCredential } from "./open-credentials.ts";

interface Tested {
  readonly ok: boolean;
  readonly message: string;
}

const timeoutMs = 10_000;
/** The answer is not shown, but this much is read, so that the connection ends cleanly. */
const bodyBytesRead = 1_024;
const messageCharactersMax = 500;

/** Types that cannot be tested by themselves. */
const onlyOpened: Readonly<Record<string, string>> = {
  secret: "a bare secret is tried by the flow that uses it",
  custom: "its fields are tried by the flow that uses them",
  aws: "it signs the requests of the flow that uses it",
  hmac: "it checks signatures of calls that come in",
};

/**
 * Tests a credential through the outbound guard, and records the host in the audit log, because a test can send the
 * secret there. Any refusal is an answer, not an error. Throws NOT_FOUND, and FORBIDDEN for a URL if the actor may not
 * run flows, which could send the secret there too.
 */
export async function testCredential(
  actor: Actor,
  id: string,
  url: string | null,
  outbound: Outbound,
): Promise<Tested> {
  const row = await findCredential(actor, id);
  if (url !== null) requireScope(actor, "flows:execute");
  let ok = false;
  try {
    const tested = await outcomeOf(actor.workspaceId, row, url, outbound);
    ok = tested.ok;
    return tested;
  } finally {
    // Only the host: the query of a URL may hold a secret.
    const after = { ok, ...(url === null ? {} : { host: new URL(url).host }) };
    await recordChange(database(), actor, { action: "credential.tested", id, name: row.name, after });
  }
}

/** The result of the test. Throws NOT_FOUND if the credential is gone. */
async function outcomeOf(
  workspaceId: string,
  row: { readonly name: string; readonly type: string },
  url: string | null,
  outbound: Outbound,
): Promise<Tested> {
  let credential: OpenCredential | undefined;
  try {
    [credential] = await openCredentials(workspaceId, [row.name]);
    // Another credential may just have taken its name.
    if (credential === undefined || credential.type !== row.type) throw notFound("Credential");
    credential = await withAccess(credential, outbound, AbortSignal.timeout(timeoutMs));
    return { ok: true, message: hidden(await tried(workspaceId, credential, url, outbound), credential) };
  } catch (error) {
    if (error instanceof UnreadableCredential) return { ok: false, message: error.message };
    if (credential === undefined || !isRefusal(error)) throw error;
    return { ok: false, message: hidden(error.message, credential) };
  }
}

/** Tests the credential; returns a sentence about what was tested. Throws the other side's refusal. */
async function tried(
  workspaceId: string,
  credential: OpenCredential,
  url: string | null,
  outbound: Outbound,
): Promise<string> {
  const { name, type, data, allowedHosts } = credential;
  const limits = { workspaceId, timeoutMs, signal: AbortSignal.timeout(timeoutMs) };
  const { host = "" } = data;
  if (type === "sqlite") {
    const statement = { text: "SELECT count(*) FROM sqlite_schema", values: [], rowsMax: 1, bytesMax: 65_536 };
    await outbound.query(sqliteFileOf(workspaceId, data), statement, limits);
    return `The database ${data.file} was opened, and ran a query.`;
  }
  if (type === "smtp" || type === "imap" || isSqlServer(type)) {
    if (!mayBeSentTo(allowedHosts, host)) throw new Refusal(hostFailure(name, allowedHosts, host));
    if (type === "smtp") {
      await outbound.signInToMail(mailServerOf(data), limits);
      return data.username === undefined ? `${host} greeted us.` : `${host} accepted the user name and password.`;
    }
    if (type === "imap") {
      await outbound.signInToMailbox(imapServerOf(data), limits);
      return `${host} accepted the user name and password.`;
    }
    const statement = { text: "SELECT 1", values: [], rowsMax: 1, bytesMax: 65_536 };
    await outbound.query(sqlServerOf(type, data), statement, limits);
    return `${host} accepted the user name and password, and ran a query.`;
  }
  const server = modelServerOf(type, data);
  if (server !== null) return await tryModels(credential, server, outbound, limits);
  const reason = onlyOpened[type];
  if (reason !== undefined) return `The secret can be decrypted. It was not tried: ${reason}.`;
  if (url === null) {
    const found = type === "oauth2" ? "There is an access token" : "The secret can be decrypted";
    return `${found}. Give a URL to try it on a service.`;
  }
  return await request(credential, new URL(url), outbound, limits);
}

/** Lists the models, which requires a valid key. */
async function tryModels(
  { name, allowedHosts }: OpenCredential,
  server: ModelServer,
  outbound: Outbound,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string> {
  const { url, headers } = listModels(server);
  const { host, hostname } = new URL(url);
  if (!mayBeSentTo(allowedHosts, hostname)) throw new Refusal(hostFailure(name, allowedHosts, hostname));
  const sent = { method: "GET", url, headers, followRedirects: false, secretHeaders: Object.keys(headers) };
  const { status } = await outbound.send({ ...sent, ...limits, bodyBytesRead });
  if (status === 401 || status === 403) throw new Refusal(`${host} refused the key: status ${status}.`);
  if (status >= 300) throw new Refusal(`${host} answered with ${status}: it is unknown whether it accepts the key.`);
  return `${host} accepted the key, and listed its models.`;
}

async function request(
  credential: OpenCredential,
  url: URL,
  outbound: Outbound,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string> {
  const { host } = url;
  const { headers } = applyCredential(credential, url);
  const sent = { method: "GET", url: url.href, headers, followRedirects: false, secretHeaders: Object.keys(headers) };
  const { status } = await outbound.send({ ...sent, ...limits, bodyBytesRead });
  if (status === 401 || status === 403) throw new Refusal(`${host} refused it: status ${status}.`);
  if (status >= 400)
    throw new Refusal(`${host} answered with ${status}: it is unknown whether it accepts the credential.`);
  return `${host} answered with ${status}.`;
}

class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Compares names: other bundles have copies of these classes. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof Error &&
    ["Refusal", "OutboundError", "MailRefused", "SqlRefused", "NodeFailure", "TimeoutError"].includes(error.name)
  );
}

/** Masks everything in the credential: a server may repeat what it was sent, encoded or not. */
function hidden(message: string, { data, type }: OpenCredential): string {
  const secrets = Object.entries(data).filter(([field]) => !(field in shown) || type === "custom");
  const account = `\u0000${data.username ?? ""}\u0000${data.password ?? ""}`;
  const forms = [...secrets.map(([, value]) => value), account].flatMap((value) => [
    value,
    base64(value),
    Buffer.from(value, "utf8").toString("hex"),
    encodeURIComponent(value.toWellFormed()),
  ]);
  const longest = forms.filter((form) => form.length >= 4).sort((a, b) => b.length - a.length);
  const clean = longest.reduce((text, form) => text.replaceAll(form, "•••"), message);
  return clean.slice(0, messageCharactersMax).toWellFormed();
}

/** Non-secret fields, which messages may name. */
const shown = {
  host: 0,
  port: 0,
  database: 0,
  username: 0,
  security: 0,
  ca: 0,
  from: 0,
  name: 0,
  file: 0,
  access: 0,
  header: 0,
  baseUrl: 0,
};

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
