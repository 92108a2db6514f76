"use client";

import { Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useAccess, useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { Presence } from "#components/presence/presence.tsx";
import { flowQueries } from "./flow-queries.ts";
import { FlowReading } from "./flow-reading.tsx";
import styles from "./flow-skeleton.module.css";
import { readCopy, readFlow } from "./read-flow.ts";

/** A window of 1,440 px at a zoom of 200 %, and a tablet held upright. */
const roomForEditing = "(min-width: 44em)";

/**
 * A flow: editable with permission on a large enough screen; otherwise read-only. Once open, the editor stays when the
 * window gets narrower: its undo history and what is half typed live in the page.
 */
export function FlowView({ id }: { readonly id: string }) {
  const api = useApi();
  // Always refetched: the editor must not start from an earlier visit's cached copy.
  const flow = useQuery({ ...readFlow(api, id), gcTime: 0, refetchOnMount: "always" });
  const types = useQuery(flowQueries.nodeTypes(api));
  const refusal = useAccess().refusal("flows:write", "edit flows");
  const isWide = useMediaQuery(roomForEditing, undefined, { getInitialValueInEffect: true });
  const [openedId, setOpenedId] = useState("");
  if (isWide === true && openedId !== id) setOpenedId(id);
  // Only editors see unpublished changes.
  const isEdited = (isWide === true || openedId === id) && refusal === null;
  const hasCopy = isEdited && flow.isFetchedAfterMount && flow.data?.draft != null;
  const copy = useQuery({ ...readCopy(api, id), enabled: hasCopy, gcTime: 0, refetchOnMount: "always" });
  const failed =
    flow.data === undefined || types.data === undefined || (hasCopy && copy.data === undefined)
      ? [flow, types, copy].find((query) => query.isError)
      : undefined;
  if (failed?.error) {
    const retry = () => void Promise.all([flow.refetch(), types.refetch(), ...(hasCopy ? [copy.refetch()] : [])]);
    return (
      <FailureNotice
        title="The flow could not be loaded"
        error={failed.error}
        onRetry={retry}
        list={{ label: "Go to the flows", path: "/flows" }}
      />
    );
  }
  const isRead = flow.data !== undefined && flow.isFetchedAfterMount;
  if (!isRead || types.data === undefined || isWide === undefined) return <FlowSkeleton name={flow.data?.name} />;
  if (isEdited) {
    if (hasCopy && !copy.isFetchedAfterMount) return <FlowSkeleton name={flow.data.name} />;
    return <LazyFlowEditor key={id} flow={flow.data} copy={copy.data ?? null} types={types.data} />;
  }
  return (
    <Presence flowId={id}>
      <FlowReading flow={flow.data} types={types.data} whyNotEdited={refusal} />
    </Presence>
  );
}

/** The editor, loaded when a flow is opened, so that other pages do not pay for it. */
const LazyFlowEditor = dynamic(() => import("#components/editor/flow-editor.tsx"), {
  ssr: false,
  loading: () => <FlowSkeleton />,
});

/** The editor's outline while the flow loads. `name`: the flow's, once it is known. */
function FlowSkeleton({ name = "Flow" }: { readonly name?: string | undefined }) {
  return (
    <div className={styles.frame} aria-busy="true" data-full-page>
      <h1 className="unseen">{name}</h1>
      <div className={styles.head}>
        <Skeleton height={12} width={40} />
        <Skeleton height={16} width={200} />
      </div>
      <div className={styles.canvas} />
    </div>
  );
}
