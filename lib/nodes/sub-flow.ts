import { z } from "zod";
import { isJsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { anyField, flowMeta } from "./config-fields.ts";
import { defineNode, NodeFailure } from "./define.ts";

/** Runs another flow of the workspace as a separate execution. */
export const subFlow = defineNode({
  type: "sub-flow",
  name: "Sub-flow",
  keywords: ["call", "workflow"],
  family: "action",
  icon: "sitemap",
  iconPath:
    "M3 17a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2l0 -2M15 17a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2l0 -2M9 5a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2l0 -2M6 15v-1a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v1M12 9l0 3",
  summary: ["{wait=false}start {flowId}", "run {flowId}"],
  description: `Runs another flow of the workspace. That is a separate execution, with \`data\` as its
\`$trigger.body\`. It waits for that to end; with \`"wait": false\` it continues at once. Output:
\`{executionId, status, output}\`, where \`output\` is that flow's output.

If the other execution does not complete, the node fails (\`SUB_FLOW_FAILED\`). When this run is cancelled or ends in any
other way, the one it waits for is cancelled. Flows may call each other five levels deep.

Example: \`{"flowId": "flow_01kad6w1m4e8tvm8d9fqzc4x2r", "data": {"order": "{{ $trigger.body.id }}"}}\`.`,
  effect: "wait",
  acts: () => "write",
  waitsFor: "execution",
  handles: plainHandle,
  config: z.object({
    flowId: z
      .string("must be a flow's id")
      .min(1, "must not be empty")
      .meta(flowMeta({ title: "Flow", description: "The flow to run; its id." })),
    data: anyField({ title: "Data", description: "What the flow sees as $trigger.body. Default: the input." }),
    wait: z
      .boolean("must be true or false")
      .optional()
      .default(true)
      .meta({ title: "Wait for its end", description: "Without waiting, its failure does not affect this run." }),
  }),
  example: { flowId: "flow_01kad6w1m4e8tvm8d9fqzc4x2r", data: { order: "{{ $trigger.body.id }}" } },
  run: async ({ flowId, data, wait }, context) => {
    const executionId = await context.startFlow(flowId, data === undefined ? context.input() : data);
    if (wait) return { wait: { kind: "execution", until: null, state: { executionId } } };
    return { output: { executionId, status: "running", output: null } };
  },
  resume: ({ state: { executionId } }, { value }) => {
    const { status = "deleted", output = null, error = null } = isJsonObject(value) ? value : {};
    if (status === "completed") return { output: { executionId, status, output } };
    const reason = typeof error === "string" ? `: ${error}` : "";
    throw new NodeFailure(
      "SUB_FLOW_FAILED",
      `The execution ${executionId} of the sub-flow ended as ${status}${reason}`,
    );
  },
});
