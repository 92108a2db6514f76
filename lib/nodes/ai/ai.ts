import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { defineNode } from "#lib/nodes/define.ts";
import { askModelOnce } from "./ask.ts";
import { missingPrompt, modelConfig } from "./model-config.ts";

/** Asks a language model once. */
export const ai = defineNode({
  type: "ai",
  name: "AI",
  keywords: ["llm", "gpt", "claude", "prompt"],
  family: "action",
  icon: "sparkles",
  iconPath:
    "M16 18a2 2 0 0 1 2 2a2 2 0 0 1 2 -2a2 2 0 0 1 -2 -2a2 2 0 0 1 -2 2m0 -12a2 2 0 0 1 2 2a2 2 0 0 1 2 -2a2 2 0 0 1 -2 -2a2 2 0 0 1 -2 2m-7 12a6 6 0 0 1 6 -6a6 6 0 0 1 -6 -6a6 6 0 0 1 -6 6a6 6 0 0 1 6 6",
  summary: ["{model:text}[: {prompt:text}]"],
  description: `Asks a language model, and returns \`{text, object, usage, finishReason}\`. The credential is of type \`openai\` (or
any compatible server, by \`baseUrl\`), \`anthropic\` or \`google-ai\`. Ask with \`prompt\`, or with \`messages\`, a conversation of
\`{role, content}\`; \`system\` gives the model instructions.

With \`output\`, a JSON Schema of an object, \`object\` is the answer as a matching value. An invalid answer is sent
back with the errors, at most \`repairs\` times; then the node fails with \`MODEL_OUTPUT\`. Without it, \`object\` is null.
\`finishReason\` is \`stop\`, \`length\` (truncated at \`maxTokens\`), \`content-filter\`, \`tool-calls\`, \`error\` or \`other\`. \`usage\` counts tokens;
with \`pricePerMillion\` it has \`cost\`.

\`retry\` and \`Retry-After\` work as in an HTTP request. The node fails with \`MODEL_SIGN_IN\` (401, 403), \`MODEL_RATE_LIMIT\` (429),
\`MODEL_STATUS\`, \`MODEL_ANSWER\` (not in the format), \`MODEL_REFUSED\`, \`MODEL_FILES\`, \`TIMEOUT\`, and with connection errors as in an
HTTP request. A model never sees a credential: in a prompt, its value is replaced with \`•••\`.

Example: \`{"credential": "openai", "model": "gpt-5-mini", "prompt": "Is this spam? {{ $trigger.body.text }}", "output": {"type":
"object", "properties": {"spam": {"type": "boolean"}}, "required": ["spam"]}}\` gives \`{"object": {"spam": false}, …}\`.`,
  effect: "outside",
  ignoresInput: true,
  acts: () => "read",
  unrepeatable: () => true,
  showsRetries: true,
  credentialNames: ({ credential }) => (typeof credential === "string" ? [credential] : []),
  handles: plainHandle,
  config: z.object(modelConfig),
  problem: missingPrompt,
  example: {
    credential: "openai",
    model: "gpt-5-mini",
    prompt: "Is this spam? {{ $trigger.body.text }}",
    output: { type: "object", properties: { spam: { type: "boolean" } }, required: ["spam"] },
  },
  run: async (config, context) => ({ output: await askModelOnce(config, context) }),
});
