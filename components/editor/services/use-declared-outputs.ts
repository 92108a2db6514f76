import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import { serviceQueries } from "#components/services/service-queries.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { isJsonObject, type Json } from "#lib/engine/json.ts";
import { callsOperation } from "./operation-schema.ts";

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
