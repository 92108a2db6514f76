import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { defineNode, NodeFailure, type NodeResult } from "../define.ts";
import { keyField } from "./key-field.ts";

const limitMax = 10_000;
const dayMs = 86_400_000;

/** What a waiting node needs to ask again. */
interface Queued {
  readonly output: unknown;
  readonly key: string;
  readonly limit: number;
  readonly perMs: number;
}

/** Limits how often runs continue. */
export const rateLimit = defineNode({
  type: "rate-limit",
  name: "Rate limit",
  keywords: ["throttle", "quota"],
  family: "logic",
  icon: "gauge",
  iconPath:
    "M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M13.41 10.59l2.59 -2.59M7 12a5 5 0 0 1 5 -5",
  summary: ["{limit} per {perMs:duration}"],
  description: `Limits how many runs continue in a period: at most \`limit\` in any \`perMs\` milliseconds. It passes its input on. All flows of the
workspace that use the same \`key\` share the limit, on all servers. Put it before nodes that must not run more often.

With \`onLimit: "wait"\` a run queues until it may continue; while it waits it uses no resources, and its time limit is paused. With
\`"error"\` the node fails with \`RATE_LIMITED\` and says when to try again. In a loop, every iteration takes a turn.

Example: \`{"key": "crm", "limit": 10, "perMs": 1000}\` lets ten a second through.`,
  effect: "wait",
  waitsFor: "time",
  mayBeRefused: true,
  collects: true,
  handles: plainHandle,
  config: z.object({
    key: keyField({
      title: "Key",
      description: "The shared key of the limit, such as crm or {{ $trigger.body.customer }}.",
    }),
    limit: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(limitMax, `must be at most ${limitMax}`)
      .meta({ title: "Limit", description: `How many runs may pass in that time, up to ${limitMax}.` }),
    perMs: z
      .int("must be a whole number of milliseconds")
      .min(1, "must be at least 1")
      .max(dayMs, `must be at most ${dayMs} (a day)`)
      .meta({ title: "Per", description: "The time window of the limit in milliseconds, up to a day." }),
    onLimit: z
      .enum(["wait", "error"], 'must be "wait" or "error"')
      .optional()
      .default("wait")
      .meta({ title: "When the limit is reached", description: "Wait for a turn, or fail." }),
  }),
  example: { key: "crm", limit: 10, perMs: 1_000 },
  run: async ({ key, limit, perMs, onLimit }, context) => {
    const mayWait = onLimit === "wait";
    const turn = await context.turn({ key, limit, perMs, mayWait, hasWaited: false });
    if (turn.isTaken) return { output: context.input() };
    if (mayWait) return queued({ output: context.input(), key, limit, perMs }, turn.at);
    const inMs = Math.max(0, Math.ceil(turn.at - context.now()));
    throw new NodeFailure("RATE_LIMITED", `More than ${limit} in ${perMs} ms: try again in ${inMs} ms`);
  },
  // There is room when it is due, unless many were late: it then waits again.
  resume: async ({ state }, _, context): Promise<NodeResult | ReturnType<typeof queued>> => {
    const { key, limit, perMs } = state as unknown as Queued;
    const turn = await context.turn({ key, limit, perMs, mayWait: true, hasWaited: true });
    const output = await context.input();
    return turn.isTaken ? { output } : queued({ output, key, limit, perMs }, turn.at);
  },
});

function queued(state: Queued, until: number) {
  return { wait: { kind: "time", until, state: { ...state } } } as const;
}
