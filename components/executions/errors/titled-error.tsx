"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { withFieldTitles } from "#lib/engine/issue-message.ts";
import { isJsonObject, type Json } from "#lib/engine/json.ts";
import type { ErrorTextProps } from "./error-text.tsx";

/**
 * An error with titles in place of the names of config fields, once the node types are loaded. Where a title depends on
 * the type of the node, reads the flow to learn it.
 */
export default function TitledError({ message, type, flowId, nodeId = null }: ErrorTextProps) {
  const api = useApi();
  const all = useQuery(flowQueries.nodeTypes(api)).data;
  const types = useMemo(
    () => (type === undefined ? all : all?.filter((nodeType) => nodeType.type === type)),
    [all, type],
  );
  const shown = useMemo(() => (types === undefined ? message : titledError(message, types)), [message, types]);
  const isOpen = types !== undefined && shown === message;
  const flow = useQuery(flowQueries.nodes(api, (isOpen && flowId) || "")).data;
  return useMemo(
    () => (isOpen && flow !== undefined ? titledError(message, typesOfFailed(types, flow, nodeId)) : shown),
    [message, shown, isOpen, flow, types, nodeId],
  );
}

/** A config field, or a whole config, of several node types. */
interface CommonField {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, CommonField>>;
  readonly items?: CommonField;
}

interface TypeWithSchema {
  readonly type: string;
  readonly configSchema: unknown;
}

const known = new WeakMap<readonly TypeWithSchema[], CommonField>();

/**
 * A run's error with titles in place of the names of config fields, as far as they have one title in all of these types.
 * Of all types there are, four fields do not: `timeout`, `output`, `by` and `mode`.
 */
export function titledError(message: string, types: readonly TypeWithSchema[]): string {
  const fields = known.get(types) ?? commonFields(types);
  known.set(types, fields);
  const lead = /^\w[\w ]+ after [\w. ]+: /.exec(message)?.[0] ?? "";
  return lead + withFieldTitles(message.slice(lead.length), fields);
}

/** Where the node that failed may be found. */
interface FlowOfError {
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly config: unknown }[];
}

/** The types that a failed node of this flow may have; `nodeId`: it, if known and still there. */
export function typesOfFailed<Type extends TypeWithSchema>(
  types: readonly Type[],
  flow: FlowOfError,
  nodeId: string | null,
): Type[] {
  const all = withBodies(flow.nodes);
  const failed = all.filter(({ id }) => id === nodeId);
  const names = new Set((failed.length > 0 ? failed : all).map(({ type }) => type));
  return types.filter(({ type }) => names.has(type));
}

function withBodies(nodes: FlowOfError["nodes"]): FlowOfError["nodes"] {
  return nodes.flatMap((node) => {
    const body = isJsonObject(node.config) ? node.config.body : undefined;
    const inner = isJsonObject(body) && Array.isArray(body.nodes) ? body.nodes : [];
    return [node, ...withBodies(inner as unknown as FlowOfError["nodes"])];
  });
}

/** What the schemas of these types have in common. */
function commonFields(types: readonly TypeWithSchema[]): CommonField {
  return merged(types.map(({ configSchema }) => configSchema)) ?? {};
}

/** One field as several schemas have it; undefined if their titles differ. */
function merged(schemas: readonly unknown[]): CommonField | undefined {
  const objects = schemas.filter(isJsonObject);
  const titles = new Set(objects.map(({ title }) => (typeof title === "string" ? title : undefined)));
  if (titles.size > 1) return undefined;
  const [title] = titles;
  const byName = new Map<string, Json[]>();
  for (const { properties } of objects) {
    if (!isJsonObject(properties)) continue;
    for (const [name, field] of Object.entries(properties)) {
      if (field !== undefined) byName.set(name, [...(byName.get(name) ?? []), field]);
    }
  }
  const fields = [...byName].flatMap(([name, all]) => {
    const field = merged(all);
    return field === undefined ? [] : [[name, field] as const];
  });
  const items = objects.flatMap((object) => (object.items === undefined ? [] : [object.items]));
  const item = items.length === 0 ? undefined : merged(items);
  return {
    ...(title !== undefined && { title }),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(item !== undefined && { items: item }),
  };
}
