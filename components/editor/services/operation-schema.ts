import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import { serviceQueries } from "#components/services/service-queries.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { ListedOperation, ShownService, WholeOperation } from "#lib/contract/services.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

type Properties = Readonly<Record<string, JsonObject[string]>>;

/** Whether a node's form depends on a service's operation. */
export function callsOperation(schema: unknown): boolean {
  const { operation } = propertiesOf(schema);
  return isJsonObject(operation) && operation.format === "operation";
}

/**
 * The schema of a node's form. A node that calls an operation gets the services and operations to choose from, and
 * the fields of the chosen operation; others' schemas are unchanged.
 */
export function useOperationSchema(schema: unknown, config: JsonObject): unknown {
  const api = useApi();
  const isCall = callsOperation(schema);
  const service = typeof config.service === "string" ? config.service : "";
  const operation = typeof config.operation === "string" ? config.operation : "";
  const services = useQuery({ ...serviceQueries.all(api), enabled: isCall });
  const chosen = useQuery({ ...serviceQueries.one(api, service), enabled: isCall && service !== "" });
  const whole = useQuery({
    ...serviceQueries.operation(api, service, operation),
    enabled: isCall && service !== "" && operation !== "",
  });
  if (!isCall || !isJsonObject(schema)) return schema;
  return operationSchema(schema, {
    services: dataOf(services)?.items ?? [],
    chosen: service === "" ? undefined : dataOf(chosen),
    operation: operation === "" ? undefined : dataOf(whole),
  });
}

const dataOf = <Data>({ data, isError }: UseQueryResult<Data>): Data | undefined => (isError ? undefined : data);

interface Known {
  readonly services: readonly ShownService[];
  readonly chosen: (ShownService & { readonly operations: readonly ListedOperation[] }) | undefined;
  readonly operation: WholeOperation | undefined;
}

/** The schema of a call's form, as far as its service and operation are known. */
export function operationSchema(schema: JsonObject, { services, chosen, operation }: Known): JsonObject {
  const {
    service,
    operation: requested,
    credential,
    baseUrl,
    parameters,
    body,
    allPages,
    itemsMax,
    ...rest
  } = {
    ...propertiesOf(schema),
  };
  const asksAddress = chosen?.baseUrl === null && (operation?.baseUrl ?? null) === null;
  const properties: Record<string, JsonObject[string]> = {
    service: choiceOf(service, services),
    operation: chosen === undefined ? (requested ?? {}) : choiceOf(requested, chosen.operations),
    credential: withHelp(credential, chosen),
    ...(asksAddress ? { baseUrl: baseUrl ?? {} } : {}),
    ...(operation === undefined ? { parameters: parameters ?? {}, body: body ?? {} } : {}),
    ...fieldsOf("parameters", "Parameters", operation),
    ...fieldsOf("body", "Body", operation),
    ...(operation?.hasPages ? { allPages: allPages ?? {}, itemsMax: itemsMax ?? {} } : {}),
    ...rest,
    ...(asksAddress ? {} : { baseUrl: baseUrl ?? {} }),
  };
  const required = ["service", "operation"];
  if (asksAddress) required.push("baseUrl");
  for (const name of ["parameters", "body"]) if (requiredOf(properties[name]).length > 0) required.push(name);
  return { ...schema, properties, required };
}

/** The part of a config that survives choosing another service or operation. */
export function withoutOthersFields(schema: unknown, config: JsonObject, path: string): JsonObject {
  if (!callsOperation(schema)) return config;
  const { parameters: _, body: __, allPages: ___, ...kept } = config;
  if (path === "operation") return kept;
  if (path !== "service") return config;
  const { operation: _____, credential: ______, baseUrl: _______, ...others } = kept;
  return others;
}

function propertiesOf(schema: unknown): Properties {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
}

function requiredOf(schema: JsonObject[string] | undefined): readonly unknown[] {
  return isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : [];
}

function choiceOf(field: JsonObject[string] | undefined, known: readonly { id: string; name: string }[]): JsonObject {
  const { format: _, ...words } = isJsonObject(field) ? field : {};
  const labels = Object.fromEntries(known.map(({ id, name }) => [id, name]));
  return { ...words, enum: known.map(({ id }) => id), labels: { ...labels, "": "Choose one" } };
}

function withHelp(field: JsonObject[string] | undefined, service: ShownService | undefined): JsonObject {
  const given = isJsonObject(field) ? field : {};
  if (service === undefined) return given;
  const kinds = service.credentials.map(({ type, name, help }) => `${type}${name === null ? "" : ` ${name}`}: ${help}`);
  return { ...given, description: [`${service.name} takes:`, ...kinds].join(" ") };
}

/** The operation's own fields, if any. */
function fieldsOf(name: "parameters" | "body", title: string, operation: WholeOperation | undefined) {
  const schema = operation?.[`${name}Schema`];
  if (!isJsonObject(schema) || Object.keys(propertiesOf(schema)).length === 0) return {};
  return { [name]: { ...schema, title } };
}

const callsMax = 30;
const levelsMax = 6;

/** Output shapes of calls that have not run yet, by node, as placeholder values for completion. */
export function useDeclaredOutputs(
  nodes: readonly FlowNode[],
  types: readonly NodeType[],
): Readonly<Record<string, Json>> {
  const api = useApi();
  const calling = useMemo(
    () => new Set(types.flatMap(({ type, configSchema }) => (callsOperation(configSchema) ? [type] : []))),
    [types],
  );
  const calls = nodes
    .flatMap(({ id, type, config: { service, operation, allPages } }) => {
      const isCall =
        calling.has(type) && typeof service === "string" && typeof operation === "string" && allPages !== true;
      return isCall ? [{ id, service, operation }] : [];
    })
    .slice(0, callsMax);
  return useQueries({
    queries: calls.map(({ service, operation }) => serviceQueries.operation(api, service, operation)),
    combine: (results) => {
      const known = calls.flatMap(({ id }, index) => {
        const schema = results[index]?.data?.answerSchema;
        return isJsonObject(schema) && schema.type !== "null" ? [[id, standIn(schema)] as const] : [];
      });
      return Object.fromEntries(known);
    },
  });
}

/** A placeholder value for a schema. */
export function standIn(schema: unknown, level = 0): Json {
  if (!isJsonObject(schema) || level > levelsMax) return null;
  if (isJsonObject(schema.properties)) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, standIn(field, level + 1)] as const);
    return Object.fromEntries(fields);
  }
  if (schema.type === "array") return [standIn(schema.items, level + 1)];
  if (schema.type === "string") return "text";
  if (schema.type === "number" || schema.type === "integer") return 0;
  return schema.type === "boolean" ? true : schema.type === "object" ? {} : null;
}
