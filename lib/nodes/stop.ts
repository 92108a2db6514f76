import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { anyField, choiceMeta } from "./config-fields.ts";
import { defineNode, NodeFailure } from "./define.ts";

/**
 * Ends the run at once (`ends`). Nodes in progress finish and are recorded, waits are abandoned, and all others are
 * skipped. In a loop's body, it ends the whole run, not only the iteration.
 */
export const stop = defineNode({
  type: "stop",
  name: "Stop",
  keywords: ["exit", "abort", "throw", "fail"],
  family: "logic",
  icon: "hand-stop",
  iconPath:
    "M8 13v-7.5a1.5 1.5 0 0 1 3 0v6.5M11 5.5v-2a1.5 1.5 0 1 1 3 0v8.5M14 5.5a1.5 1.5 0 0 1 3 0v6.5M17 7.5a1.5 1.5 0 0 1 3 0v8.5a6 6 0 0 1 -6 6h-2h.208a6 6 0 0 1 -5.012 -2.7a69.74 69.74 0 0 1 -.196 -.3c-.312 -.479 -1.407 -2.388 -3.286 -5.728a1.5 1.5 0 0 1 .536 -2.022a1.867 1.867 0 0 1 2.28 .28l1.47 1.47",
  summary: ["{status:text|completed}[ · {message:text}]"],
  description: `Ends the run at once, even from inside a loop: with success and an output, or with an error.
Nodes in progress finish; waits are abandoned; everything else is skipped. No error edge and no
\`onError\` catches its error.

Example: \`{"status": "failed", "message": "The order {{ $trigger.body.id }} has no items"}\`.`,
  effect: "none",
  ends: true,
  handles: plainHandle,
  config: z.object({
    status: z
      .enum(["completed", "failed"], 'must be "completed" or "failed"')
      .optional()
      .default("completed")
      .meta(
        choiceMeta({ title: "Status", description: "How the run ends." }, { completed: "Completed", failed: "Failed" }),
      ),
    message: anyField({ title: "Message", description: "Why: the run's error, or an entry in its log." }),
    output: anyField({ title: "Output", description: "The run's output when it completes. Default: the input." }),
  }),
  example: { status: "failed", message: "The order {{ $trigger.body.id }} has no items" },
  run: async ({ status, message, output }, context) => {
    const text = typeof message === "string" ? message : message == null ? "" : await jsonInTurns(message);
    if (status === "failed") throw new NodeFailure("STOPPED", text === "" ? "The flow stopped the run" : text);
    if (text !== "") context.log("info", text);
    return { output: output === undefined ? context.input() : output };
  },
});
