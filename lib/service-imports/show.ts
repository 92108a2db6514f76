// Services and operations as the API shows them, built-in and imported ones alike.
import type { ListedOperation, ShownService, WholeOperation } from "#lib/contract/services.ts";
import { serverAddress } from "#lib/nodes/call/call-address.ts";
import { iso } from "#lib/platform/clock.ts";
import type { ServiceModel } from "#lib/platform/prisma/models.ts";
import { type CredentialKind, type Operation, type Service, schemasOf } from "#lib/services/model/service.ts";
import type { StoredOperation } from "#lib/services/model/stored.ts";

const showKind = ({ type, help, name, authorizationUrl, tokenUrl, scopes }: CredentialKind) => ({
  type,
  help,
  name: name ?? null,
  authorizationUrl: authorizationUrl ?? null,
  tokenUrl: tokenUrl ?? null,
  scopes: scopes ?? null,
});

export function showService(service: Service): ShownService {
  const { id, name, icon, description, baseUrl, baseUrlExample = null } = service;
  return {
    ...{ id, name, icon, description, baseUrl, baseUrlExample, sourceUrl: null },
    isImported: false,
    credentials: service.credentials.map(showKind),
    operationCount: service.operations.length,
    updatedAt: null,
  };
}

/** Colours of imported services, chosen by their name. */
const colors = ["#2f6f8f", "#7a4f9a", "#8f5a2f", "#3f7d4e", "#9a3f5f", "#4f5f9a"];

export function showImported(row: Omit<ServiceModel, "workspaceId">): ShownService {
  const { id, name, description, baseUrl, sourceUrl, operationCount, updatedAt } = row;
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return {
    id,
    name,
    icon: { letters: [...name].slice(0, 2).join(""), color: colors[sum % colors.length] ?? "#2f6f8f" },
    description,
    isImported: true,
    baseUrl,
    baseUrlExample: null,
    sourceUrl,
    credentials: (JSON.parse(row.credentials) as CredentialKind[]).map(showKind),
    operationCount,
    updatedAt: iso(updatedAt),
  };
}

export function listOperation(service: Service, { id, name, method, path }: Operation): ListedOperation {
  return { service: service.id, id, name, method, path, group: service.name };
}

export function showOperation(service: Service, operation: Operation): WholeOperation {
  return {
    ...listOperation(service, operation),
    description: "",
    ...schemasOf(operation),
    baseUrl: null,
    hasPages: operation.pages !== undefined,
    docs: operation.docs,
  };
}

export function showStored(service: string, operation: StoredOperation): WholeOperation {
  const { id, name, method, path, group, description, parameters, body, answer } = operation;
  const schemas = { parametersSchema: parameters, bodySchema: body, answerSchema: answer };
  const baseUrl = operation.server === undefined ? null : serverAddress(operation.server, {});
  return { service, id, name, method, path, group, description, ...schemas, baseUrl, hasPages: false, docs: null };
}
