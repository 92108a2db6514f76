import { isStorableText } from "#lib/engine/flow.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { CredentialKind } from "#lib/services/model/service.ts";
import type { StoredCall, StoredOperation } from "#lib/services/model/stored.ts";

interface Row extends Record<string, unknown> {
  readonly name: string;
  readonly base_url: string | null;
  readonly credentials: string;
  readonly definition: string | null;
}

const findText = `
  SELECT s.name, s.base_url, s.credentials, o.definition
  FROM service s LEFT JOIN service_operation o ON o.service_id = s.id AND o.id = $3
  WHERE s.id = $1 AND s.workspace_id = $2`;

/** An imported service and one of its operations; null for each that is missing. */
export async function findStored(
  workspaceId: string,
  serviceId: string,
  operationId: string,
): Promise<{ readonly service: StoredCall["service"]; readonly operation: StoredOperation | null } | null> {
  if (!isId("service", serviceId) || !isStorableText(operationId)) return null;
  const [row] = await query<Row>("find-stored-call", findText, [serviceId, workspaceId, operationId]);
  if (row === undefined) return null;
  const credentials = JSON.parse(row.credentials) as CredentialKind[];
  return {
    service: { id: serviceId, name: row.name, baseUrl: row.base_url, credentials },
    operation: row.definition === null ? null : (JSON.parse(row.definition) as StoredOperation),
  };
}

/** The same for a node. Throws SERVICE_NOT_FOUND. */
export async function findStoredCall(workspaceId: string, serviceId: string, operationId: string): Promise<StoredCall> {
  const found = await findStored(workspaceId, serviceId, operationId);
  if (found === null) {
    throw new NodeFailure("SERVICE_NOT_FOUND", `There is no service "${serviceId}"; it may have been deleted`, {
      field: "service",
    });
  }
  const { service, operation } = found;
  if (operation !== null) return { service, operation };
  const message = `The service "${service.name}" has no operation "${operationId}"`;
  throw new NodeFailure("SERVICE_NOT_FOUND", message, { field: "operation" });
}
