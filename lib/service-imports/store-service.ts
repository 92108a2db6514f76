import type { RunStatement } from "#lib/platform/database.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import { foldText } from "#lib/search-words.ts";
import type { StoredOperation } from "#lib/services/model/stored.ts";

const insertText = `
  INSERT INTO service_operation (service_id, id, position, name, method, path, heading, search, definition)
  SELECT $1, i.id, i.position, i.name, i.method, i.path, i.heading, i.search, i.definition
  FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
    AS i (id, position, name, method, path, heading, search, definition)`;

/** Replaces a service's operations. */
export async function writeOperations(
  run: RunStatement,
  service: { readonly id: string; readonly name: string },
  operations: readonly StoredOperation[],
): Promise<void> {
  await run("delete-operations", "DELETE FROM service_operation WHERE service_id = $1", [service.id]);
  const column = (of: (operation: StoredOperation) => string) => textArray(operations.map(of));
  await run("insert-operations", insertText, [
    service.id,
    column(({ id }) => id),
    `{${operations.map((_, position) => position).join(",")}}`,
    column(({ name }) => name),
    column(({ method }) => method),
    column(({ path }) => path),
    column(({ group }) => group),
    column((operation) => searchOf(service.name, operation)),
    column((operation) => JSON.stringify(operation)),
  ]);
}

/** The searchable text of an operation, folded; the same as in the ranking of `listOperations`. */
function searchOf(service: string, { name, group, method, path }: StoredOperation): string {
  return foldText(`${service} ${name} ${group} ${method} ${path}`);
}

/** The size of operations in the database. */
export function bytesOf(operations: readonly StoredOperation[]): number {
  return operations.reduce((sum, operation) => sum + Buffer.byteLength(JSON.stringify(operation)), 0);
}
