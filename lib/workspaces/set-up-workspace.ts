import { z } from "zod";
import { scopes, type Tier } from "#lib/access.ts";
import { hashOfKey, shownPrefix } from "#lib/auth/api-key-format.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId } from "#lib/platform/ids.ts";

const named = (what: string) =>
  z
    .string(`${what} must be text`)
    .trim()
    .min(1, `Enter ${what}`)
    .max(255, `${what} must have at most 255 characters`)
    .refine(isStorableText, `${what} must not contain U+0000 or unpaired surrogates`);

const setUp = z.object({
  name: named("your name"),
  email: z.email("Enter an e-mail address").max(254, "Enter an e-mail address").toLowerCase(),
  password: z
    .string()
    .min(8, "Choose a password of at least 8 characters")
    .max(200, "Choose a password of at most 200 characters"),
  workspaceName: named("a workspace name"),
});

export type WorkspaceSetUp = z.input<typeof setUp>;

/**
 * Makes the first workspace with its owner. Throws VALIDATION_ERROR (`details`: field to message), and CONFLICT when
 * a workspace exists already, even if two ask at once.
 */
export async function setUpWorkspace(given: WorkspaceSetUp): Promise<void> {
  const parsed = setUp.safeParse(given);
  if (!parsed.success) {
    const details = Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]));
    throw new AppError("VALIDATION_ERROR", "Some fields are not right yet", { details });
  }
  const made = await makeFirstWorkspace({ ...parsed.data, apiKey: undefined });
  if (!made) throw new AppError("CONFLICT", "This service is set up already: sign in instead");
}

/** What BOOTSTRAP_EMAIL, BOOTSTRAP_PASSWORD and BOOTSTRAP_API_KEY ask for; does nothing once a workspace exists. */
export async function bootstrapWorkspace(): Promise<void> {
  const { bootstrap } = env();
  if (bootstrap === undefined) return;
  const email = bootstrap.email.toLowerCase();
  await makeFirstWorkspace({ ...bootstrap, email, name: email.split("@")[0] ?? email, workspaceName: "Workspace" });
}

interface FirstWorkspace {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly workspaceName: string;
  readonly apiKey: string | undefined;
}

/** False when there was one already. */
async function makeFirstWorkspace(first: FirstWorkspace): Promise<boolean> {
  const passwordHash = await hashPassword(first.password);
  return await database().$transaction(async (tx) => {
    // Held until the transaction ends: of several that set up at once, one finds the table empty.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('millrace.set-up'))`;
    if ((await tx.workspace.count()) > 0) return false;
    const tier: Tier = env().firstTier;
    const workspace = await tx.workspace.create({ data: { id: newId("workspace"), name: first.workspaceName, tier } });
    const user = await tx.user.create({
      data: { id: newId("user"), email: first.email, name: first.name, passwordHash },
    });
    await tx.membership.create({ data: { workspaceId: workspace.id, userId: user.id, role: "owner" } });
    if (first.apiKey !== undefined) {
      await tx.apiKey.create({
        data: {
          id: newId("key"),
          workspaceId: workspace.id,
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
