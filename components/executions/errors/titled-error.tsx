"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { titledError } from "./common-fields.ts";

/** An error with titles in place of the names of config fields, once the node types are loaded. */
export default function TitledError({ message }: { readonly message: string }) {
  const types = useQuery(flowQueries.nodeTypes(useApi())).data;
  return useMemo(() => (types === undefined ? message : titledError(message, types)), [message, types]);
}
