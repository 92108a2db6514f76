import { setTimeout as sleep } from "node:timers/promises";
import { scopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { hashOfKey, shownPrefix } from "#lib/auth/api-keys.ts";
import { bootstrapped } from "#lib/auth/first-workspace.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { countEntry } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId } from "#lib/platform/ids.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { newUser, newWorkspace, type OwnWorkspaceInput, parseOwnWorkspace } from "./new-user.ts";

/**
 * Creates the first workspace with its owner. Throws VALIDATION_ERROR (`details`: field to message), CONFLICT if a
 * workspace exists, even for concurrent requests, FORBIDDEN if BOOTSTRAP_EMAIL names the owner, and
 * RATE_LIMIT_EXCEEDED.
 */
export async function setUpWorkspace(given: OwnWorkspaceInput, ip: string | null): Promise<void> {
  if (env().bootstrap !== undefined) {
    throw new AppError("FORBIDDEN", "This service creates its own first workspace: sign in instead");
  }
  const fields = parseOwnWorkspace(given);
  if (!(await needsSetUp())) throw isSetUp();
  await countEntry("set-up", ip);
  const passwordHash = await hashPassword(fields.password);
  if (!(await makeFirstWorkspace({ ...fields, passwordHash, apiKey: undefined }))) throw isSetUp();
}

function isSetUp(): AppError {
  return new AppError("CONFLICT", "This service is already set up: sign in instead");
}

const retryMsMin = 100;
const retryMsMax = 5_000;

/**
 * Creates the workspace of BOOTSTRAP_EMAIL, BOOTSTRAP_PASSWORD and BOOTSTRAP_API_KEY, unless one exists. Retries until
 * it succeeds: anyone could take over a service without an owner.
 */
export async function bootstrapWorkspace(): Promise<void> {
  const { bootstrap } = env();
  if (bootstrap === undefined || bootstrapped.isDone) return;
  const email = bootstrap.email.toLowerCase();
  const named = { ...bootstrap, email, name: email.split("@")[0] ?? email, workspaceName: "Workspace" };
  for (let pauseMs = retryMsMin; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
    try {
      if ((await database().workspace.findFirst({ select: { id: true } })) === null) {
        await makeFirstWorkspace({ ...named, passwordHash: await hashPassword(bootstrap.password) });
      }
      bootstrapped.isDone = true;
      return;
    } catch (error) {
      logLine("error", "Could not create the first workspace; trying again", { inMs: pauseMs, ...errorFields(error) });
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
}

interface FirstWorkspace {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly workspaceName: string;
  readonly apiKey: string | undefined;
}

/** False if there already was one. */
async function makeFirstWorkspace(first: FirstWorkspace): Promise<boolean> {
  return await database().$transaction(async (tx) => {
    // Held until the transaction ends: of concurrent set-ups, only one finds the table empty.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('millrace.set-up'))`;
    if ((await tx.workspace.count()) > 0) return false;
    const user = await newUser(tx, { email: first.email, name: first.name, passwordHash: first.passwordHash });
    const workspaceId = await newWorkspace(tx, first.workspaceName, env().firstTier, user.id);
    const actor = { workspaceId, by: { kind: "user", id: user.id } } as const;
    const change = { action: "workspace.created", id: workspaceId, name: first.workspaceName } as const;
    await recordChange(tx, actor, change);
    if (first.apiKey !== undefined) {
      await tx.apiKey.create({
        data: {
          id: newId("key"),
          workspaceId,
          name: "Bootstrap",
          hash: hashOfKey(first.apiKey),
          prefix: shownPrefix(first.apiKey),
          scopes: [...scopes],
        },
      });
    }
    return true;
  });
}

/** True until the first workspace exists, and never if the service creates it itself (BOOTSTRAP_EMAIL). */
export async function needsSetUp(): Promise<boolean> {
  if (env().bootstrap !== undefined) return false;
  return (await database().workspace.findFirst({ select: { id: true } })) === null;
}
