import { z } from "zod";
import { defineNode, NodeFailure } from "../define.ts";
import { waitMsMax } from "../delay.ts";
import { keyField } from "./key-field.ts";

const receivedHandle = "received";
const timeoutHandle = "timeout";

/** Waits for an event with a key. */
export const waitFor = defineNode({
  type: "wait-for",
  name: "Wait for an event",
  keywords: ["signal", "pause"],
  family: "logic",
  icon: "bell",
  iconPath:
    "M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3h-16a4 4 0 0 0 2 -3v-3a7 7 0 0 1 4 -6M9 17v1a3 3 0 0 0 6 0v-1",
  summary: ["{key}[, up to {timeoutMs:duration}]"],
  description: `Waits until somebody sends an event of this \`key\` with \`POST /events\`. Every run that waits for the key
continues, once; an event that arrived after the run had started and before it got here counts, too. So the sender need not know which
run waits, or whether it is already waiting.

Output: the event's \`data\`; a plain edge is followed. With \`timeoutMs\`, the edge \`timeout\` is followed if none arrives, and
the output is \`{timedOutAt}\`; without such an edge the node fails. While it waits, the run survives restarts, uses no resources,
and its time limit is paused.

Example: \`{"key": "paid {{ $trigger.body.order }}", "timeoutMs": 86400000}\` continues after \`POST /events\` with
\`{"key": "paid 17", "data": {"amount": 5}}\`, and \`{{ $node.output.amount }}\` is 5.`,
  effect: "wait",
  waitsFor: "event",
  // A plain edge must not be followed after a timeout, as if the event had come.
  handles: { fixed: [receivedHandle, timeoutHandle], plain: receivedHandle },
  config: z.object({
    key: keyField({ title: "Key", description: "The event's key, such as paid {{ $trigger.body.order }}." }),
    timeoutMs: z
      .number("must be a number of milliseconds")
      .min(1, "must be at least 1")
      .max(waitMsMax, `must be at most ${waitMsMax} (a year)`)
      .optional()
      .meta({ title: "Time limit", description: "The timeout in milliseconds, up to a year. Default: none." }),
  }),
  example: { key: "paid {{ $trigger.body.order }}", timeoutMs: 86_400_000 },
  run: ({ key, timeoutMs }, context) => ({
    wait: {
      kind: "event",
      until: timeoutMs === undefined ? null : context.now() + timeoutMs,
      state: { key, timeoutLeads: context.isConnected(timeoutHandle) },
    },
  }),
  resume: ({ state }, { by, at, value }) => {
    if (by !== "time") return { output: value, handle: receivedHandle };
    if (state.timeoutLeads !== true) throw new NodeFailure("WAIT_TIMEOUT", "No event arrived within the time limit");
    return { output: { timedOutAt: at }, handle: timeoutHandle };
  },
});
