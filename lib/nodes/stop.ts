import { z } from "zod";
import { plainHandle } from "#lib/engine/branches.ts";
import { anyField } from "./config-fields.ts";
import { defineNode, NodeFailure } from "./define.ts";

/**
 * Ends the run at once; the engine knows it by its type. What is under way beside it finishes and is recorded, waits
 * are given up, the rest is skipped. In a loop's body it ends the whole run, not only the iteration.
 */
export const stop = defineNode({
  type: "stop",
  name: "Stop",
  family: "logic",
  icon: "hand-stop",
  description: `Ends the run at once, wherever it stands, also inside a loop: with success and an output, or with an
error. What is under way beside it finishes; waits are given up; everything else is skipped. No error edge and no
\`onError\` catches its error.

Example: \`{"status": "failed", "message": "The order {{ $trigger.body.id }} has no items"}\`.`,
  effect: "none",
  handles: plainHandle,
  config: z.object({
    status: z
      .enum(["completed", "failed"], 'must be "completed" or "failed"')
      .optional()
      .default("completed")
      .meta({ title: "Status", description: "How the run ends." }),
    message: anyField({ title: "Message", description: "Why: the run's error, or an entry in its log." }),
    output: anyField({ title: "Output", description: "The run's output when it completes. Default: the input." }),
  }),
  example: { status: "failed", message: "The order {{ $trigger.body.id }} has no items" },
  run: ({ status, message = "", output }, context) => {
    const said = typeof message === "string" ? message : JSON.stringify(message);
    if (status === "failed") throw new NodeFailure("STOPPED", said === "" ? "The flow stopped the run" : said);
    if (said !== "") context.log("info", said);
    return { output: output === undefined ? context.input : output };
  },
});
