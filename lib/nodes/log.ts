import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { jsonBeginning } from "#lib/json/json-beginning.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { anyField, choiceMeta } from "./config-fields.ts";
import { defineNode, logLevels } from "./define.ts";

const shownCharactersMax = 500;

/** Writes to the run's log and passes its input on, so that adding it never changes a flow's answer. */
export const log = defineNode({
  type: "log",
  name: "Log",
  keywords: ["print", "debug", "console"],
  family: "output",
  icon: "notes",
  iconPath:
    "M5 5a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2l0 -14M9 7l6 0M9 11l6 0M9 15l4 0",
  summary: ["{message:text}", "{level:text|info}: the input"],
  description: `Writes an entry to the run's log, and passes its input on.

Example: \`{"message": "Order {{ $trigger.body.id }} accepted", "data": {"total": "{{ $node.output.total }}"}}\`.`,
  effect: "none",
  handles: plainHandle,
  config: z.object({
    level: z
      .enum(logLevels, `must be one of ${logLevels.join(", ")}`)
      .optional()
      .default("info")
      .meta(
        choiceMeta(
          { title: "Level", description: "A warning also counts among the run's warnings." },
          { info: "Info", warning: "Warning", error: "Error" },
        ),
      ),
    message: anyField({ title: "Message", description: "Text; anything else is shown as JSON. Default: the input." }),
    data: anyField({ title: "Data", description: "Any value to store with the entry." }),
  }),
  example: { message: "Order {{ $trigger.body.id }} accepted", data: { total: "{{ $node.output.total }}" } },
  run: async ({ level, message = "", data }, context) => {
    const text = message === "" ? jsonBeginning(context.input(), shownCharactersMax) : message;
    context.log(level, typeof text === "string" ? text : await jsonInTurns(text), data);
    return { output: context.input() };
  },
});
