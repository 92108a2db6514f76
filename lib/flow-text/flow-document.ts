import { z } from "zod";
import { flowTestDocument } from "#lib/contract/flows/flow-test-document.ts";
import {
  type FlowEdge,
  type FlowNode,
  type FlowSettings,
  type FlowTrigger,
  flowDescription,
  flowEdges,
  flowName,
  flowNodes,
  flowSettings,
  flowTags,
  flowTrigger,
  flowVariables,
} from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";

/** A test in a flow's document, with defaults filled in. */
export type FlowDocumentTest = z.output<typeof flowTestDocument>;

/** A self-contained flow, as `GET /flows/:id/export` returns it and `POST /flows/import` accepts it. */
export interface FlowDocument {
  /** The format's version: 1 or 1.x. */
  readonly version: string;
  /** The time of export. Not part of the text. */
  readonly exportedAt?: string;
  readonly flow: {
    readonly name: string;
    readonly description: string | null;
    readonly tags?: readonly string[];
    /** Without the URL that the service generates. */
    readonly trigger: FlowTrigger;
    readonly nodes: readonly FlowNode[];
    readonly edges: readonly FlowEdge[];
    readonly variables?: JsonObject;
    readonly settings?: FlowSettings;
  };
  readonly tests?: readonly FlowDocumentTest[];
}

/** A document's schema, with the limits of `POST /flows/import`. */
export const flowDocument = z.object({
  version: z
    .string("version must be text")
    .refine((version) => /^1(\.\d+){0,2}$/.test(version), "only documents of version 1 can be read"),
  flow: z.object({
    name: flowName,
    description: flowDescription.nullable(),
    tags: flowTags.optional(),
    trigger: flowTrigger,
    nodes: flowNodes,
    edges: flowEdges,
    variables: flowVariables.optional(),
    settings: flowSettings.optional(),
  }),
  tests: z.array(flowTestDocument).optional(),
});
