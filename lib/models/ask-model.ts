// The only file that imports the AI SDK, whose providers translate between our requests and the wire formats of model
// servers.
import type { createOpenAI } from "@ai-sdk/openai";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { parseJsonInTurns } from "#lib/json/parse-json.ts";
import {
  type AnswerPart,
  finishReasons,
  type ModelAnswer,
  type ModelMessage,
  type ModelRequest,
} from "#lib/nodes/ai/model-request.ts";
import { levelsMax } from "#lib/nodes/define.ts";
import type { ModelServer } from "./model-server.ts";

/** A file ready to send: text unchanged, anything else in base64, which the SDK would encode byte by byte. */
export type LoadedFile = { readonly name: string; readonly mediaType: string } & (
  | { readonly text: string }
  | { readonly base64: string }
);

/** A request with its loaded files, by id. */
export type LoadedRequest = Pick<
  ModelRequest,
  "model" | "system" | "messages" | "tools" | "schema" | "temperature" | "maxTokens"
> & {
  readonly files: ReadonlyMap<string, LoadedFile>;
  readonly signal: AbortSignal;
  /** Called with the answer's text so far, as it streams. By default, the answer is not streamed. */
  readonly onText?: ((text: string) => void) | undefined;
};

/** A server's answer cannot be parsed. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/** The type of every provider's model, without importing another package for it. */
type Model = ReturnType<ReturnType<typeof createOpenAI>["chat"]>;
type CallOptions = Parameters<Model["doGenerate"]>[0];
type Generated = Pick<Awaited<ReturnType<Model["doGenerate"]>>, "content" | "usage" | "finishReason">;
type Content = Generated["content"][number];
type Stream = Awaited<ReturnType<Model["doStream"]>>["stream"];
type Prompt = CallOptions["prompt"];
type Schema = NonNullable<CallOptions["tools"]>[number] extends infer Tool
  ? Tool extends { readonly inputSchema: infer One }
    ? One
    : never
  : never;

/**
 * Asks a model once. All requests go through `send`, whose errors are rethrown. Throws UnreadableAnswer. Loads the SDK
 * on first use, to save memory.
 */
export async function askModel(
  server: ModelServer,
  request: LoadedRequest,
  send: typeof globalThis.fetch,
): Promise<ModelAnswer> {
  const failures: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const model = await modelOf(server, request.model, fetch);
  try {
    const { onText } = request;
    const options = optionsOf(request);
    const answer =
      onText === undefined ? model.doGenerate(options) : streamed((await model.doStream(options)).stream, onText);
    const { content, usage, finishReason } = await answer;
    // A server that blocks a prompt may send an empty answer.
    if (content.length === 0 && finishReason.unified === "other") throw new UnreadableAnswer("It is empty");
    const input = usage.inputTokens.total ?? 0;
    const output = usage.outputTokens.total ?? 0;
    return {
      parts: await partsOf(content),
      usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
      finishReason: finishReasons.find((known) => known === finishReason.unified) ?? "other",
    };
  } catch (error) {
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    if (error instanceof UnreadableAnswer) throw error;
    // The SDK's message may quote the answer or the request.
    throw new UnreadableAnswer("It is not in the format of this kind of server", { cause: error });
  }
}

/** Collects a streamed answer, calling `onText` with its text each time there is more. Throws errors in the stream. */
async function streamed(stream: Stream, onText: (text: string) => void): Promise<Generated> {
  const content: Content[] = [];
  const open = new Map<string, { type: "text" | "reasoning"; text: string; providerMetadata?: object }>();
  let text = "";
  let end: Pick<Generated, "usage" | "finishReason"> | undefined;
  for await (const part of stream) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const begun = { type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const), text: "" };
        open.set(part.id, begun);
        content.push(begun as Content);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const of = open.get(part.id);
        if (of !== undefined) of.text += part.delta;
        if (part.type === "reasoning-delta" || part.delta === "") break;
        text += part.delta;
        onText(text);
        break;
      }
      case "tool-call":
        content.push(part);
        break;
      case "finish":
        end = part;
        break;
      case "error":
        throw new UnreadableAnswer("It says that something went wrong in mid-answer", { cause: part.error });
    }
    // Servers sign a part at its start, its end, or in between.
    const of = "id" in part && typeof part.id === "string" ? open.get(part.id) : undefined;
    if (of !== undefined && "providerMetadata" in part && part.providerMetadata !== undefined)
      of.providerMetadata = { ...of.providerMetadata, ...part.providerMetadata };
  }
  // For a truncated stream, the SDK creates an end without the server's reason.
  if (end?.finishReason.raw === undefined) throw new UnreadableAnswer("It breaks off");
  return {
    content: content.filter((part) => !("text" in part) || part.text !== "" || part.type === "reasoning"),
    ...end,
  };
}

/** Always passes keys and URLs: otherwise the SDK would read the environment. */
async function modelOf(
  { kind, baseUrl, key }: ModelServer,
  name: string,
  fetch: typeof globalThis.fetch,
): Promise<Model> {
  const settings = { baseURL: baseUrl, apiKey: key ?? "", fetch };
  switch (kind) {
    case "openai":
      return (await import("@ai-sdk/openai")).createOpenAI(settings).chat(name);
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).createAnthropic(settings).languageModel(name);
    case "google-ai":
      return (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings).languageModel(name);
  }
}

function optionsOf(request: LoadedRequest): CallOptions {
  const { tools = [], schema, temperature, maxTokens, signal } = request;
  return {
    prompt: promptOf(request),
    abortSignal: signal,
    // A person's schema need not be in the subset that OpenAI's strict mode accepts.
    providerOptions: { openai: { strictJsonSchema: false } },
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(schema === undefined ? {} : { responseFormat: { type: "json", schema: schema as Schema } }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            ...{ type: "function", name, description, inputSchema: input as Schema },
          })) as NonNullable<CallOptions["tools"]>,
          toolChoice: { type: "auto" },
        }),
  };
}

function promptOf({ system, messages, files }: LoadedRequest): Prompt {
  const first: Prompt = system === undefined ? [] : [{ role: "system", content: system }];
  return [...first, ...messages.map((message) => messageOf(message, files))];
}

function messageOf(message: ModelMessage, files: LoadedRequest["files"]): Prompt[number] {
  switch (message.role) {
    case "user": {
      const loaded = (message.files ?? []).flatMap(({ file }) => files.get(file) ?? []);
      return { role: "user", content: [...loaded.map(filePart), { type: "text", text: message.text }] };
    }
    case "assistant":
      return { role: "assistant", content: message.parts.map(sentPart) };
    case "tool":
      return {
        role: "tool",
        content: message.results.map(({ id, name, output }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output:
            typeof output === "string"
              ? { type: "text", value: output }
              : { type: "json", value: (output ?? null) as never },
        })),
      };
  }
}

type UserPart = Extract<Prompt[number], { role: "user" }>["content"][number];
type AssistantPart = Extract<Prompt[number], { role: "assistant" }>["content"][number];

function filePart(file: LoadedFile): UserPart {
  const { name, mediaType } = file;
  if ("text" in file) return { type: "text", text: `File ${JSON.stringify(name)}:\n${file.text}` };
  return { type: "file", filename: name, mediaType, data: { type: "data", data: file.base64 } };
}

function sentPart(part: AnswerPart): AssistantPart {
  const metadata = part.kept === undefined ? {} : { providerOptions: part.kept as never };
  if (part.type !== "tool-call") return { type: part.type, text: part.text, ...metadata };
  return { type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input, ...metadata };
}

async function partsOf(content: readonly Content[]): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for (const part of content) {
    if (part.type !== "text" && part.type !== "reasoning" && part.type !== "tool-call") continue;
    const { providerMetadata } = part;
    const metadata = isJsonObject(providerMetadata) ? { kept: providerMetadata as JsonObject } : {};
    if (part.type !== "tool-call") parts.push({ type: part.type, text: part.text, ...metadata });
    else
      parts.push({
        type: "tool-call",
        id: part.toolCallId,
        name: part.toolName,
        input: await inputOf(part.input),
        ...metadata,
      });
  }
  return parts;
}

/**
 * Parses a tool call's input, which should be JSON. Invalid text is passed on unchanged, so that the model is told
 * about it.
 */
async function inputOf(text: string): Promise<unknown> {
  try {
    return text.trim() === "" ? {} : await parseJsonInTurns(text, levelsMax);
  } catch {
    return text;
  }
}
