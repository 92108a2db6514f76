import type { AuditAction, AuditSubject } from "#lib/contract/accounts/audit-log.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { Prisma, type PrismaClient } from "#lib/platform/prisma/client.ts";

/** The parts of an `Actor` that the log records. */
export interface AuditActor {
  readonly workspaceId: string;
  readonly by: { readonly kind: "user" | "key"; readonly id: string };
  readonly request?: { readonly id: string; readonly ip: string | null };
}

export interface Change {
  readonly action: AuditAction;
  readonly id: string;
  readonly name?: string | null;
  /** Its state before and after: names, roles, numbers; never anything that may hold a secret. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** A connection or a transaction. In a transaction, the entry is committed or rolled back with its change. */
export type AuditWriter = Pick<PrismaClient, "$executeRaw">;

/** Adds an entry to the workspace's audit log. */
export async function recordChange(writer: AuditWriter, actor: AuditActor, change: Change): Promise<void> {
  await recordStatement(writer, actor, change);
}

/** The same as one statement, for a list of statements that Prisma runs as a transaction. */
export function recordStatement(writer: AuditWriter, actor: AuditActor, change: Change) {
  return writer.$executeRaw(entryOf(actor, change));
}

/** The same in a transaction without Prisma. */
export async function recordWith(run: RunStatement, actor: AuditActor, change: Change): Promise<void> {
  const { text, values } = entryOf(actor, change);
  await run("record-change", text, values);
}

function entryOf(actor: AuditActor, { action, id, name, before, after }: Change) {
  const { workspaceId, by, request } = actor;
  const subject = action.split(".")[0] as AuditSubject;
  // Reads the name here, so that the entry has the person's or key's name at the time.
  return Prisma.sql`
    INSERT INTO audit_entry (id, workspace_id, actor_kind, actor_id, actor_name, action, subject_type, subject_id,
                             subject_name, ip, request_id, before, after)
    VALUES (${newId("audit")}, ${workspaceId}, ${by.kind}, ${by.id},
      coalesce(CASE ${by.kind} WHEN 'key' THEN (SELECT name FROM api_key WHERE id = ${by.id})
                               ELSE (SELECT email FROM "user" WHERE id = ${by.id}) END, ''),
      ${action}, ${subject}, ${id}, ${name ?? null}, ${request?.ip ?? null}, ${request?.id ?? null},
      ${asText(before)}, ${asText(after)})`;
}

function asText(fields: Readonly<Record<string, unknown>> | undefined): string | null {
  return fields === undefined ? null : JSON.stringify(fields);
}
