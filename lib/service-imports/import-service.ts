import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { Imported, NewService, Reimported, ServiceChanges } from "#lib/contract/service-imports.ts";
import { notFound } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database, inTransaction, isDuplicate, query, type RunStatement } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import type { ServiceModel } from "#lib/platform/prisma/models.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import type { StoredOperation } from "#lib/services/model/stored.ts";
import { touchedFlows } from "./calling-flows.ts";
import type { ImportedService } from "./document/imported.ts";
import { invalid, readSource } from "./fetch-document.ts";
import { keepPreview, takePreview } from "./previews.ts";
import { showImported } from "./show.ts";
import { bytesOf, writeOperations } from "./store-service.ts";

const servicesMax = 50;
/** The limit for all imported services of a workspace. */
const bytesMax = 67_108_864;

const insertText = `
  INSERT INTO service (id, workspace_id, name, description, base_url, source_url, credentials, operation_count, bytes, revision,
    created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10::timestamptz, $10::timestamptz)`;
const updateText = `
  UPDATE service SET name = $3, description = $4, base_url = $5, source_url = $6, credentials = $7, operation_count = $8,
    bytes = $9, revision = revision + 1, updated_at = $10::timestamptz
  WHERE id = $1 AND workspace_id = $2 AND revision = $11 RETURNING id`;

/** Creates a service from a document. Throws VALIDATION_ERROR. */
export async function importService(actor: Actor, given: NewService, outbound: Outbound): Promise<Imported> {
  const { workspaceId } = actor;
  await requireRoom(workspaceId);
  const read = await readSource(given, workspaceId, outbound);
  const name = nameOf(given.name, read);
  const row = rowOf({ id: newId("service"), workspaceId, name, sourceUrl: sourceOf(given.url) }, read);
  await refuseTakenName(name, () =>
    inTransaction(async (run) => {
      await run("lock-services", "SELECT id FROM workspace WHERE id = $1 FOR NO KEY UPDATE", [workspaceId]);
      await refuseTooMany(run, workspaceId, row, servicesMax - 1);
      await run("insert-service", insertText, valuesOf(row));
      await writeOperations(run, row, read.operations);
      await recordWith(run, actor, { action: "service.created", id: row.id, name });
    }),
  );
  return { ...showImported(row), skipped: [...read.skipped] };
}

/**
 * Reimports or renames a service, and returns what changes. Reuses the document that a dry run has just fetched, so
 * that the import matches the preview. Throws NOT_FOUND and VALIDATION_ERROR.
 */
export async function updateService(
  actor: Actor,
  id: string,
  given: ServiceChanges,
  { dryRun, outbound }: { readonly dryRun: boolean; readonly outbound: Outbound },
): Promise<Reimported> {
  const before = await findImported(actor, id);
  const isSame = given.document === undefined && given.url === undefined;
  const known = await operationsOf(id);
  const preview = { workspaceId: actor.workspaceId, serviceId: id, url: given.url ?? "" };
  const previewed = isSame || dryRun ? undefined : takePreview(preview);
  const read = isSame ? sameAs(before, known) : (previewed ?? (await readSource(given, actor.workspaceId, outbound)));
  if (dryRun && given.url !== undefined) keepPreview(preview, read);
  const name = given.name ?? before.name;
  const sourceUrl = isSame ? before.sourceUrl : sourceOf(given.url);
  const row = { ...rowOf({ id, workspaceId: actor.workspaceId, name, sourceUrl }, read), createdAt: before.createdAt };
  // Each pass reads all operations, up to 8 MiB, so yield in between.
  await yieldAfter(row.bytes);
  const changes = differences(known, read.operations);
  const flows = await touchedFlows(actor.workspaceId, id, changes);
  const shown = { ...showImported(row), skipped: [...read.skipped], changes, flows };
  if (dryRun) return shown;
  await refuseTakenName(name, () =>
    inTransaction(async (run) => {
      await run("lock-services", "SELECT id FROM workspace WHERE id = $1 FOR NO KEY UPDATE", [actor.workspaceId]);
      await refuseTooMany(run, actor.workspaceId, row, servicesMax);
      const written = await run("update-service", updateText, [...valuesOf(row), before.revision]);
      // Another import was faster, or the service is gone: the reported changes would be wrong.
      if (written.length === 0) throw invalid("document", "the service was changed meanwhile: try again");
      await writeOperations(run, row, read.operations);
      await recordWith(run, actor, { action: "service.updated", id, name });
    }),
  );
  return shown;
}

/** Deletes an imported service. Throws NOT_FOUND. */
export async function deleteService(actor: Actor, id: string): Promise<null> {
  const { name } = await findImported(actor, id);
  await inTransaction(async (run) => {
    const deleted = await run("delete-service", "DELETE FROM service WHERE id = $1 RETURNING id", [id]);
    if (deleted.length === 0) throw notFound("Service");
    await recordWith(run, actor, { action: "service.deleted", id, name });
  });
  return null;
}

async function findImported({ workspaceId }: Actor, id: string): Promise<ServiceModel> {
  const row = isId("service", id) ? await database().service.findFirst({ where: { id, workspaceId } }) : null;
  if (row === null) throw notFound("Service");
  return row;
}

async function operationsOf(serviceId: string): Promise<StoredOperation[]> {
  const text = "SELECT definition FROM service_operation WHERE service_id = $1 ORDER BY position";
  const rows = await query<{ definition: string }>("operations-of-service", text, [serviceId]);
  return rows.map(({ definition }) => JSON.parse(definition) as StoredOperation);
}

function sameAs(row: ServiceModel, operations: readonly StoredOperation[]): ImportedService {
  const { name: title, description, baseUrl } = row;
  return { title, description, baseUrl, credentials: JSON.parse(row.credentials), operations, skipped: [] };
}

function nameOf(given: string | undefined, { title }: ImportedService): string {
  const name = given ?? title;
  if (name === "") throw invalid("name", "is required: the document has no title");
  return name;
}

/** A document's URL, shown when reimporting. Without the query, which may contain a key. */
function sourceOf(url: string | undefined): string | null {
  if (url === undefined) return null;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function rowOf(
  own: Pick<ServiceModel, "id" | "workspaceId" | "name" | "sourceUrl">,
  read: ImportedService,
): ServiceModel {
  const now = timeNow();
  return {
    ...{ ...own, description: read.description, baseUrl: read.baseUrl },
    credentials: JSON.stringify(read.credentials),
    operationCount: read.operations.length,
    bytes: bytesOf(read.operations),
    ...{ revision: 1, createdAt: now, updatedAt: now },
  };
}

const valuesOf = (row: ServiceModel) => [
  ...[row.id, row.workspaceId, row.name, row.description, row.baseUrl, row.sourceUrl],
  ...[row.credentials, row.operationCount, row.bytes, row.updatedAt],
];

/** Checked before the document is read, which is expensive. */
async function requireRoom(workspaceId: string): Promise<void> {
  if ((await database().service.count({ where: { workspaceId } })) >= servicesMax) throw tooMany();
}

async function refuseTooMany(run: RunStatement, workspaceId: string, row: ServiceModel, othersMax: number) {
  const text =
    "SELECT count(*)::int AS count, coalesce(sum(bytes), 0)::float8 AS bytes FROM service WHERE workspace_id = $1 AND id <> $2";
  const [others] = await run<{ count: number; bytes: number }>("other-services", text, [workspaceId, row.id]);
  if ((others?.count ?? 0) > othersMax) throw tooMany();
  if ((others?.bytes ?? 0) + row.bytes > bytesMax) {
    throw invalid("document", `the workspace's services may take ${bytesMax} bytes together`);
  }
}

const tooMany = () => invalid("name", `a workspace may have at most ${servicesMax} imported services`);

/** The database decides: of two services created concurrently with one name, one succeeds. Throws VALIDATION_ERROR. */
async function refuseTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalid("name", `there is a service named "${name}" already`);
  }
}

/** Compares operations by id: an operation has changed if its input or output has. */
function differences(before: readonly StoredOperation[], after: readonly StoredOperation[]) {
  const callOf = ({ method, path, parameters, headers, cookies, styles, server, body, ...more }: StoredOperation) => {
    const { isWhole, bodyType, contentType } = more;
    return JSON.stringify([
      ...[method, path, parameters, headers, cookies, styles, server],
      ...[body, isWhole, bodyType, contentType],
    ]);
  };
  const [old, now] = [before, after].map((all) => new Map(all.map((operation) => [operation.id, callOf(operation)])));
  const ids = (all: Map<string, string> | undefined) => [...(all?.keys() ?? [])];
  return {
    added: ids(now).filter((id) => !old?.has(id)),
    removed: ids(old).filter((id) => !now?.has(id)),
    changed: ids(now).filter((id) => old?.has(id) && old.get(id) !== now?.get(id)),
  };
}
