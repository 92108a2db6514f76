import { createHash, timingSafeEqual } from "node:crypto";
import { type SignaturePreset, signaturePresets } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { logLine } from "#lib/platform/log.ts";
import { type OpenCredential, openCredentials, UnreadableCredential } from "./open-credentials.ts";
import { type RequestHeaders, signatureProblem } from "./verify-signature.ts";

/** The called flow, for the look-up and the log. */
interface CalledFlow {
  readonly id: string;
  readonly workspaceId: string;
}

interface Call {
  readonly headers: RequestHeaders;
  /** The exact bytes; empty if no signature is required. */
  readonly body: Buffer;
}

/** Whether a call has the secret, and in which header; if not, a reason, if that may help a caller. */
interface Check {
  readonly passes: boolean;
  readonly secretHeader?: string;
  readonly problem?: string | null;
}

/**
 * Authenticates a trigger URL's caller with the credential that the trigger names. Returns the names of the headers
 * that carried the secret, so that no flow sees it. Anything missing or wrong refuses the call: UNAUTHORIZED.
 */
export async function checkCaller(flow: CalledFlow, config: JsonObject, call: Call): Promise<readonly string[]> {
  const authentication = String(config.authentication);
  const credential = await credentialOf(flow, authentication, config.credential);
  const check: Check = credential === null ? { passes: false } : checkWith(credential, presetOf(config), call);
  if (check.passes) return check.secretHeader === undefined ? [] : [check.secretHeader];
  const reason = check.problem ? `: ${check.problem}` : "";
  throw new AppError("UNAUTHORIZED", `This trigger asks for ${authentication} authentication${reason}`);
}

/** The credential to check against; its type is the authentication's. Null if there is none, which is logged. */
async function credentialOf(flow: CalledFlow, authentication: string, name: unknown): Promise<OpenCredential | null> {
  const refuse = (reason: string) => {
    logLine("warning", "A trigger refuses every caller", { flowId: flow.id, authentication, reason });
    return null;
  };
  if (typeof name !== "string") return refuse("it names no credential");
  try {
    const [credential] = await openCredentials(flow.workspaceId, [name]);
    if (credential === undefined) return refuse(`there is no credential named "${name}"`);
    if (credential.type === authentication) return credential;
    return refuse(`the credential "${name}" is of type ${credential.type}`);
  } catch (error) {
    if (error instanceof UnreadableCredential) return refuse(error.message);
    throw error;
  }
}

function presetOf({ preset }: JsonObject): SignaturePreset | null {
  return signaturePresets.find((known) => known === preset) ?? null;
}

function checkWith({ type, data }: OpenCredential, preset: SignaturePreset | null, { headers, body }: Call): Check {
  switch (type) {
    case "basic": {
      const shown = Buffer.from(afterScheme(headers, "basic"), "base64");
      return { passes: isSame(shown, `${data.username}:${data.password}`), secretHeader: "authorization" };
    }
    case "bearer": {
      const shown = bytesOf(afterScheme(headers, "bearer"));
      return { passes: isSame(shown, data.token?.trim()), secretHeader: "authorization" };
    }
    case "header": {
      const name = data.name?.toLowerCase() ?? "";
      return { passes: isSame(bytesOf(headers.get(name) ?? ""), data.value?.trim()), secretHeader: name };
    }
    case "hmac": {
      const problem = signatureProblem(data, preset, { headers, body, nowMs: nowMs() });
      return { passes: problem === null, problem };
    }
    default:
      return { passes: false };
  }
}

function afterScheme(headers: RequestHeaders, scheme: string): string {
  const [given, ...rest] = (headers.get("authorization") ?? "").split(/ +/);
  return given?.toLowerCase() === scheme ? rest.join(" ") : "";
}

/** A header's value as sent: each character is one byte. */
function bytesOf(value: string): Buffer {
  return Buffer.from(value, "latin1");
}

/**
 * Constant-time comparison that reveals neither the first difference nor the secret's length. An empty secret matches
 * nothing.
 */
function isSame(shown: Buffer, secret: string | undefined): boolean {
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
  const same = timingSafeEqual(digest(shown), digest(Buffer.from(secret ?? "", "utf8")));
  return same && secret !== undefined && secret !== "";
}
