import { z } from "zod";
import { flowTestDocument } from "#lib/contract/flows/flow-test-document.ts";
import { newFlow } from "#lib/contract/flows/flows.ts";
import { wantedColumn } from "#lib/contract/templates.ts";

/** A template's header: its page of text, and what to connect, by the names in the flow. */
const templateHeader = z.strictObject({
  text: z.string().min(80),
  credentials: z.record(z.string(), z.strictObject({ types: z.array(z.string()).min(1), help: z.string() })),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(wantedColumn) })),
  /** What each of the flow's variables is for. */
  variables: z.record(z.string(), z.string()),
});

/**
 * A template's file: the body of a `POST /flows`, and a header. Basic templates, which need nothing, have no header.
 */
export const templateDocument = newFlow.extend({
  template: templateHeader.optional(),
  tests: z.array(flowTestDocument).optional(),
});

export type TemplateDocument = z.output<typeof templateDocument>;
