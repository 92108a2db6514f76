import { z } from "zod";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { credentialMeta, dataMeta, durationMeta } from "#lib/nodes/config-fields.ts";
import { isReference } from "#lib/nodes/files/file-access.ts";
import { retryPolicy } from "#lib/nodes/retries/retry-policy.ts";
import { schemaProblem } from "./check-answer.ts";

const charactersMax = 1_000_000;
const messagesMax = 1_000;
const filesMax = 20;
const schemaCharactersMax = 65_536;

const text = z.string("must be text").max(charactersMax, `must have at most ${charactersMax} characters`);

const message = z.object(
  {
    role: z
      .enum(["user", "assistant"], 'must be "user" or "assistant"')
      .meta({ title: "Role", description: "Who says it.", labels: { user: "User", assistant: "Model" } }),
    content: text.min(1, "must not be empty").meta({ title: "Content", description: "What is said." }),
  },
  "must be {role, content}",
);

/** A JSON Schema of an object, small enough to validate on every write. */
export const schemaField = z
  .custom<JsonObject>(isJsonObject, "must be a JSON Schema")
  .superRefine((schema, context) => {
    const problem =
      JSON.stringify(schema).length > schemaCharactersMax
        ? `must have at most ${schemaCharactersMax} characters`
        : schemaProblem(schema);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });

const price = (label: string) =>
  z
    .number("must be a number")
    .min(0, "must be 0 or more")
    .max(1_000_000, "must be at most 1000000")
    .meta({ title: label, description: `Per million ${label.toLowerCase()} tokens, in any currency.` });

/** Fields shared by nodes that ask a model. */
export const modelConfig = {
  credential: z.string("must be a credential's name").meta(
    credentialMeta({
      title: "Credential",
      description: "Of type openai, anthropic or google-ai: the server and its key.",
    }),
  ),
  model: z
    .string("must be a model's name")
    .trim()
    .min(1, "must not be empty")
    .max(200, "must have at most 200 characters")
    // It becomes part of a URL.
    .regex(/^[\w.:/@+-]+$/, "must be a model's name, such as gpt-5-mini")
    .refine((name) => !name.includes(".."), "must not contain two dots in a row")
    .meta({ title: "Model", description: "The model's name, as its server knows it." }),
  system: text.optional().meta({ title: "System prompt", description: "The model's role and instructions." }),
  prompt: text.optional().meta({ title: "Prompt", description: "What it is asked." }),
  messages: z
    .array(message, "must be a list of messages")
    .max(messagesMax, `must have at most ${messagesMax} messages`)
    .optional()
    .meta({ title: "Messages", description: "A conversation so far, instead of a prompt: the last is the user's." }),
  files: z
    .array(z.unknown().refine(isReference, "must be a file's reference"), "must be a list of files")
    .max(filesMax, `must have at most ${filesMax} files`)
    .optional()
    .meta(
      dataMeta({
        title: "Files",
        description: "Images, PDF and text to send with the prompt: at most 20, 8 MiB together.",
      }),
    ),
  output: schemaField.optional().meta({
    format: "json",
    title: "Output schema",
    description:
      "A JSON Schema of an object: the answer is validated against it, and requested again if it is invalid.",
    type: "object",
  }),
  repairs: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(5, "must be at most 5")
    .optional()
    .default(2)
    .meta({ title: "Repairs", description: "How often an invalid answer is requested again: 0 to 5." }),
  temperature: z
    .number("must be a number")
    .min(0, "must be at least 0")
    .max(2, "must be at most 2")
    .optional()
    .meta({ title: "Temperature", description: "From 0 (most deterministic) to 2. Default: the server's." }),
  maxTokens: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(1_000_000, "must be at most 1000000")
    .optional()
    .meta({ title: "Maximum tokens", description: "The maximum length of an answer. Default: the server's." }),
  timeout: z
    .int("must be a whole number of milliseconds")
    .min(1, "must be at least 1")
    .max(300_000, "must be at most 300000")
    .optional()
    .default(120_000)
    .meta(durationMeta({ title: "Time limit", description: "Milliseconds for an answer. Default: 120,000." })),
  retry: retryPolicy.prefault({}).meta({
    title: "Retry",
    description:
      "Retries temporary failures: no response, a timeout, 408, 425, 429 and 5xx. By default there are no retries.",
  }),
  pricePerMillion: z
    .object({ input: price("Input"), output: price("Output") }, "must be {input, output}")
    .optional()
    .meta({ title: "Price per million tokens", description: "With it, usage includes the cost." }),
};

/** Requires one of the two fields, and that the last message is the user's. */
export function missingPrompt({ prompt, messages }: JsonObject): { path: string; message: string } | null {
  if (prompt != null && messages != null) return { path: "messages", message: "there is a prompt already" };
  if (prompt == null && messages == null) return { path: "prompt", message: "is required, unless messages are given" };
  if (typeof prompt === "string" && prompt.trim() === "") return { path: "prompt", message: "must not be empty" };
  if (!Array.isArray(messages)) return null;
  const last = messages.at(-1);
  const role = isJsonObject(last) ? last.role : undefined;
  return typeof role === "string" && role === "assistant"
    ? { path: "messages", message: "the last must be the user's" }
    : messages.length === 0
      ? { path: "messages", message: "must not be empty" }
      : null;
}
