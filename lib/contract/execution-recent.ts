import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { endpoint } from "./endpoint.ts";
import { executionStatuses } from "./executions.ts";
import { timestamp } from "./timestamp.ts";

/** Runs that are told of a flow, and flows that one call asks for. */
export const recentMax = { runs: 12, flows: 100 } as const;

const charactersMax = 4_000;

const flowIds = z
  .string("flowIds must be given once")
  .max(charactersMax, `flowIds must have at most ${charactersMax} characters`)
  .refine(isStorableText, "flowIds must not contain U+0000 or unpaired surrogates")
  .transform((text) => [...new Set(text.split(",").filter((id) => id !== ""))])
  .refine((ids) => ids.length <= recentMax.flows, `flowIds must name at most ${recentMax.flows} flows`)
  .meta({ type: "string", description: "Ids, separated by commas" });

export const readRecent = endpoint({
  method: "GET",
  path: "/executions/recent",
  tag: "Executions",
  summary: "Read the latest executions of several flows",
  description: `Of each flow that is asked for and has run, the latest ${recentMax.runs}, the latest first: for a list that shows how each flow goes.`,
  scope: "executions:read",
  query: z.object({ flowIds }),
  shape: "data",
  status: 200,
  answer: z.array(
    z.object({
      flowId: z.string(),
      runs: z.array(
        z.object({
          id: z.string(),
          status: z.enum(executionStatuses),
          startedAt: timestamp,
          duration: z.int().nullable(),
        }),
      ),
    }),
  ),
});

export type RecentRuns = z.output<(typeof readRecent)["answer"]>[number];
