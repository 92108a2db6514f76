"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { titledError, typesOfFailed } from "./common-fields.ts";
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
