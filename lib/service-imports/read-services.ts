import type { Actor } from "#lib/auth/actor.ts";
import type { SearchedPage } from "#lib/contract/query.ts";
import type { ListedOperation, ShownService, WholeOperation } from "#lib/contract/services.ts";
import { notFound } from "#lib/errors.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { findAll, foldText, wordsOf } from "#lib/search-words.ts";
import { allServices, findOperation, findService } from "#lib/services/model/all.ts";
import { findStored } from "./find-stored-call.ts";
import { listOperation, showImported, showOperation, showService, showStored } from "./show.ts";

/** A page of the services, imported ones first; or of imported ones only. */
export async function listServices(
  { workspaceId }: Actor,
  { page, limit, search = "", imported }: SearchedPage & { readonly imported: boolean },
) {
  const rows = await database().service.findMany({ where: { workspaceId }, orderBy: [{ name: "asc" }, { id: "asc" }] });
  const all = [...rows.map(showImported), ...(imported ? [] : allServices.map(showService))];
  const found = findAll(all, search, ({ name, id, description }) => [`${name} ${id}`, description]);
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
}

/** A service with its operations. Throws NOT_FOUND. */
export async function readService(
  { workspaceId }: Actor,
  id: string,
): Promise<ShownService & { operations: ListedOperation[] }> {
  const known = findService(id);
  if (known !== undefined) {
    const operations = known.operations.map((operation) => listOperation(known, operation));
    return { ...showService(known), operations };
  }
  const row = isId("service", id) ? await database().service.findFirst({ where: { id, workspaceId } }) : null;
  if (row === null) throw notFound("Service");
  const operations = await database().serviceOperation.findMany({
    where: { serviceId: id },
    orderBy: { position: "asc" },
    select: { id: true, name: true, method: true, path: true, heading: true },
  });
  const listed = operations.map(({ heading, ...operation }) => ({ service: id, ...operation, group: heading }));
  return { ...showImported(row), operations: listed };
}

/** An operation with its schemas. Throws NOT_FOUND. */
export async function readOperation(
  { workspaceId }: Actor,
  { id, operationId }: { readonly id: string; readonly operationId: string },
): Promise<WholeOperation> {
  const known = findService(id);
  const operation = findOperation(known, operationId);
  if (known !== undefined && operation !== undefined) return showOperation(known, operation);
  const found = known === undefined ? await findStored(workspaceId, id, operationId) : null;
  if (found === null || found.operation === null) throw notFound("Operation");
  return showStored(id, found.operation);
}

interface Row extends Record<string, unknown> {
  readonly service: string;
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly service_name: string;
}

/** Only this many matching imported operations are ranked: a search with more matches is too broad. */
const rankedMax = 2_000;

const foundText = `
  SELECT o.service_id AS service, o.id, o.name, o.method, o.path, o.heading AS group, s.name AS service_name
  FROM service s JOIN service_operation o ON o.service_id = s.id
  WHERE s.workspace_id = $1 AND ($2 = '' OR s.id = $2)
    AND NOT EXISTS (SELECT 1 FROM unnest($3::text[]) AS word WHERE position(word in o.search) = 0)
  ORDER BY s.name, s.id, o.position LIMIT ${rankedMax}`;

/** A page of matching operations, best first; on ties, imported ones first. */
export async function listOperations(
  { workspaceId }: Actor,
  { page, limit, search = "", service = "" }: SearchedPage & { readonly service?: string | undefined },
) {
  const mayBeImported = service === "" || isId("service", service);
  const rows = mayBeImported
    ? await query<Row>("find-operations", foundText, [workspaceId, service, wordsOf(foldText(search))])
    : [];
  const imported = rows.map(({ service_name, ...operation }) => ({ operation, serviceName: service_name }));
  const own = allServices
    .filter(({ id }) => service === "" || id === service)
    .flatMap((known) =>
      known.operations.map((operation) => ({ operation: listOperation(known, operation), serviceName: known.name })),
    );
  const found = findAll([...imported, ...own], search, ({ operation, serviceName }) => [
    `${serviceName} ${operation.name}`,
    `${operation.group} ${operation.method} ${operation.path}`,
  ]).map(({ operation }) => operation);
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
}
