import { z } from "zod";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { durationMeta } from "#lib/nodes/config-fields.ts";
import { defineNode, NodeFailure } from "#lib/nodes/define.ts";
import { waitMsMax } from "#lib/nodes/delay.ts";
import { type AgentSettings, agentStep, callsMax } from "./agent-step.ts";
import { firstMessages } from "./ask.ts";
import { missingPrompt, modelConfig } from "./model-config.ts";
import { type AgentStep, outputOfSteps } from "./steps.ts";
import { type AgentTool, toolConfig, toolOf, toolsMax } from "./tools/tool-config.ts";
import { toolsOfServer } from "./tools/tool-server.ts";

/** Lets a language model use tools until it has the answer. */
export const agent = defineNode({
  type: "agent",
  name: "Agent",
  keywords: ["llm", "assistant", "tools"],
  family: "action",
  icon: "robot",
  iconPath: agentStep.iconPath,
  summary: ["{model:text}[: {prompt:text}]"],
  description: `Lets a language model use \`tools\` until it has the answer, and returns \`{text, object, steps, usage}\`. It has the settings of
the node \`ai\`. Tools are flows (\`{flowId, name, description, input}\`), actions of tables (\`{table, action, name}\`), HTTP operations
(\`{method, url, name, input}\`, with \`{id}\` in the URL for the model's \`id\`) and the tools of MCP servers (\`{url, credential}\`).
\`input\` is the JSON Schema of the model's arguments. Errors of tools are returned to the model.

Every question and every call is a recorded step: a crash repeats none of them, and the run shows them one by one. Tools
listed in \`approval\` wait for a person to approve them. It fails with \`AGENT_STEPS\` after \`maxSteps\` questions (20), with
\`AGENT_BUDGET\` before it would spend more than \`tokenBudget\`, and as \`ai\` does.

Example: \`{"credential": "openai", "model": "gpt-5-mini", "prompt": "{{ $trigger.body.question }}", "tools": [{"flowId":
"flow_01kad6w1m4e8tvm8d9fqzc4x2r", "name": "find_order", "description": "Finds an order by its number"}]}\`.`,
  effect: "outside",
  steps: agentStep.type,
  startsFlows: true,
  waitsFor: "call",
  ignoresInput: true,
  acts: ({ tools }) => (Array.isArray(tools) && tools.length > 0 ? "write" : "read"),
  unrepeatable: () => true,
  collects: true,
  credentialNames: ({ credential, tools }) => [
    ...(typeof credential === "string" ? [credential] : []),
    ...textsOf(tools, "credential"),
  ],
  tableNames: ({ tools }) => textsOf(tools, "table"),
  handles: plainHandle,
  config: z.object({
    ...modelConfig,
    tools: z
      .array(toolConfig, "must be a list of tools")
      .max(toolsMax, `must have at most ${toolsMax} tools`)
      .optional()
      .default([])
      .meta({ title: "Tools", description: "What the model may use." }),
    approval: z
      .array(z.string("must be a tool's name"), "must be a list of tools' names")
      .max(toolsMax, `must have at most ${toolsMax} names`)
      .optional()
      .default([])
      .meta({
        title: "Tools that need approval",
        description: "Names of tools whose every call waits for a person's approval.",
      }),
    approvalTimeout: z
      .number("must be a number of milliseconds")
      .min(1, "must be at least 1")
      .max(waitMsMax, `must be at most ${waitMsMax} (a year)`)
      .optional()
      .meta(
        durationMeta({
          title: "Approval time limit",
          description: "Milliseconds after which a call that nobody approved is refused. Default: none.",
        }),
      ),
    maxSteps: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(100, "must be at most 100")
      .optional()
      .default(20)
      .meta({ title: "Maximum steps", description: "The maximum number of questions: 1 to 100, 20 by default." }),
    tokenBudget: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(100_000_000, "must be at most 100000000")
      .optional()
      .meta({ title: "Token budget", description: "It stops before it exceeds this. Default: none." }),
  }),
  problem: (config) => missingPrompt(config) ?? wrongTools(config),
  example: {
    credential: "openai",
    model: "gpt-5-mini",
    prompt: "{{ $trigger.body.question }}",
    tools: [
      {
        name: "find_order",
        description: "Finds an order by its number",
        flowId: "flow_01kad6w1m4e8tvm8d9fqzc4x2r",
        input: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
      },
    ],
    tokenBudget: 50_000,
  },
  run: async (
    { prompt, messages, files, tools, approval, approvalTimeout, maxSteps, tokenBudget, ...asking },
    context,
  ) => {
    const found: AgentTool[] = [];
    for (const tool of tools.map(toolOf)) {
      if ("does" in tool) found.push(tool);
      else found.push(...(await toolsOfServer(tool, context)));
    }
    requireNames(found, approval);
    const settings: AgentSettings = {
      asking,
      messages: await firstMessages({ ...asking, prompt, messages, files }, context),
      tools: found,
      approval,
      approvalTimeoutMs: approvalTimeout ?? null,
      maxSteps,
      tokenBudget: tokenBudget ?? null,
    };
    // A request, and each of its calls with an approval.
    const stepsMax = maxSteps * (1 + 2 * callsMax) + 1;
    return { status: "iterating", items: [settings], concurrency: 1, onItemError: "stop", stepsMax };
  },
  conclude: (steps) => outputOfSteps(steps as readonly AgentStep[]),
});

/** Two tools with the same name, or one with a secret in it, as far as the unresolved config shows. */
function wrongTools({ tools }: JsonObject): { path: string; message: string } | null {
  const seen = new Set<string>();
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    if (!isJsonObject(tool)) continue;
    // An agent's start is recorded with secrets masked: the operation would send `•••`.
    for (const field of ["url", "headers"]) {
      if (!/\$credentials\b/.test(JSON.stringify(tool[field]) ?? "")) continue;
      return { path: `tools[${index}].${field}`, message: "must not use $credentials: name the credential instead" };
    }
    if (typeof tool.name !== "string") continue;
    if (seen.has(tool.name)) return { path: `tools[${index}].name`, message: "is the name of another tool" };
    seen.add(tool.name);
  }
  return null;
}

function requireNames(tools: readonly AgentTool[], approval: readonly string[]): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name))
      throw new NodeFailure("INVALID_CONFIG", `tools: two tools are named "${name}"`, { field: "tools" });
    names.add(name);
  }
  const unknown = approval.find((name) => !names.has(name));
  if (unknown === undefined) return;
  // A typo would let a tool be used without approval.
  throw new NodeFailure("INVALID_CONFIG", `approval: there is no tool named "${unknown}"`, { field: "approval" });
}

/** The tools' values of this field. */
function textsOf(tools: unknown, field: "credential" | "table"): string[] {
  return (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const text = isJsonObject(tool) ? tool[field] : undefined;
    return typeof text === "string" ? [text] : [];
  });
}
