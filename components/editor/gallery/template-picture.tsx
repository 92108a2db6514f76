"use client";

import type { z } from "zod";
import { LazyFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import type { newFlow } from "#lib/contract/flows/flows.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { flowEdges, flowNodes, flowTrigger } from "#lib/engine/flow.ts";

interface TemplatePictureProps {
  readonly template: z.input<typeof newFlow>;
  readonly types: readonly NodeType[];
}

/** A small, read-only preview of a template. */
export default function TemplatePicture({ template, types }: TemplatePictureProps) {
  const flow = {
    trigger: flowTrigger.parse(template.trigger),
    nodes: flowNodes.parse(template.nodes),
    edges: flowEdges.parse(template.edges ?? []),
  };
  return <LazyFlowCanvas flow={flow} types={types} selectedId={null} onSelect={() => {}} bare />;
}
