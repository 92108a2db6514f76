// The wire formats of model replies, as documented by the providers.

/** A fake model's reply. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];
  readonly finish?: "stop" | "length" | "content-filter";
  readonly tokens?: readonly [input: number, output: number];
}

export type WireFormat = "openai" | "anthropic" | "google-ai";

interface Format {
  readonly base: string;
  readonly path: RegExp;
  whole(reply: ScriptedAnswer): unknown;
  /** Server-sent events. */
  streamed(reply: ScriptedAnswer): string;
}

const idOf = (index: number, id: string | undefined) => id ?? `call_${index}`;
const tokensOf = ({ tokens = [10, 5] }: ScriptedAnswer) => ({ input: tokens[0], output: tokens[1] });
const events = (data: readonly object[], names = false) =>
  data
    .map((event) => `${names && "type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
/** A text in chunks, as a model streams it. */
const chunksOf = (text: string) => text.match(/[\s\S]{1,5}/g) ?? [];

function openAiFinish({ finish = "stop", calls = [] }: ScriptedAnswer): string {
  if (finish === "content-filter") return "content_filter";
  return finish === "stop" && calls.length > 0 ? "tool_calls" : finish;
}

const openai: Format = {
  base: "/v1",
  path: /\/v1\/chat\/completions$/,
  whole: (reply) => ({
    ...{ id: "chatcmpl-1", object: "chat.completion", created: 1_700_000_000, model: "test" },
    choices: [
      {
        index: 0,
        finish_reason: openAiFinish(reply),
        message: {
          role: "assistant",
          content: reply.text ?? null,
          ...(reply.calls === undefined
            ? {}
            : {
                tool_calls: reply.calls.map(({ name, input, id }, index) => ({
                  id: idOf(index, id),
                  type: "function",
                  function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
                })),
              }),
        },
      },
    ],
    usage: openAiUsage(reply),
  }),
  streamed: (reply) => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "test" },
      choices: [{ index: 0, delta, finish_reason }],
    });
    const text = chunksOf(reply.text ?? "").map((content) => chunk({ role: "assistant", content }));
    const calls = (reply.calls ?? []).flatMap(({ name, input, id }, index) => [
      chunk({ tool_calls: [{ index, id: idOf(index, id), type: "function", function: { name, arguments: "" } }] }),
      ...chunksOf(JSON.stringify(input)).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]);
    const end = { ...chunk({}, openAiFinish(reply)), usage: openAiUsage(reply) };
    return `${events([...text, ...calls, end])}data: [DONE]\n\n`;
  },
};

function openAiUsage(reply: ScriptedAnswer) {
  const { input, output } = tokensOf(reply);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function anthropicFinish({ finish = "stop", calls = [] }: ScriptedAnswer): string {
  if (finish === "length") return "max_tokens";
  if (finish === "content-filter") return "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

function anthropicContent({ text, calls = [] }: ScriptedAnswer) {
  return [
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...calls.map(({ name, input, id }, index) => ({ type: "tool_use", id: idOf(index, id), name, input })),
  ];
}

const anthropic: Format = {
  base: "/v1",
  path: /\/v1\/messages$/,
  whole: (reply) => {
    const { input, output } = tokensOf(reply);
    return {
      ...{ id: "msg_1", type: "message", role: "assistant", model: "test", stop_sequence: null },
      content: anthropicContent(reply),
      stop_reason: anthropicFinish(reply),
      usage: { input_tokens: input, output_tokens: output },
    };
  },
  streamed: (reply) => {
    const { input, output } = tokensOf(reply);
    const message = { id: "msg_1", type: "message", role: "assistant", model: "test", content: [], stop_reason: null };
    const blocks = anthropicContent(reply).flatMap((block, index) => {
      const isText = "text" in block;
      const parts = isText ? chunksOf(block.text) : chunksOf(JSON.stringify(block.input));
      return [
        {
          type: "content_block_start",
          index,
          content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
        },
        ...parts.map((part) => ({
          type: "content_block_delta",
          index,
          delta: isText ? { type: "text_delta", text: part } : { type: "input_json_delta", partial_json: part },
        })),
        { type: "content_block_stop", index },
      ];
    });
    return events(
      [
        { type: "message_start", message: { ...message, usage: { input_tokens: input, output_tokens: 1 } } },
        ...blocks,
        {
          type: "message_delta",
          delta: { stop_reason: anthropicFinish(reply), stop_sequence: null },
          usage: { output_tokens: output },
        },
        { type: "message_stop" },
      ],
      true,
    );
  },
};

function googleFinish({ finish = "stop" }: ScriptedAnswer): string {
  if (finish === "length") return "MAX_TOKENS";
  return finish === "content-filter" ? "SAFETY" : "STOP";
}

function googleChunk(reply: ScriptedAnswer, parts: readonly object[], isLast = true) {
  const { input, output } = tokensOf(reply);
  return {
    candidates: [
      { index: 0, content: { role: "model", parts }, ...(isLast ? { finishReason: googleFinish(reply) } : {}) },
    ],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: "test",
  };
}

const googleCalls = ({ calls = [] }: ScriptedAnswer) =>
  calls.map(({ name, input, id }) => ({
    functionCall: { name, args: input, ...(id === undefined ? {} : { id }) },
    thoughtSignature: "c2lnbmVk",
  }));

const google: Format = {
  base: "/v1beta",
  path: /\/v1beta\/models\/[^/]+:(?:generateContent|streamGenerateContent)/,
  whole: (reply) =>
    googleChunk(reply, [...(reply.text === undefined ? [] : [{ text: reply.text }]), ...googleCalls(reply)]),
  streamed: (reply) =>
    events([
      ...chunksOf(reply.text ?? "").map((text) => googleChunk(reply, [{ text }], false)),
      googleChunk(reply, googleCalls(reply)),
    ]),
};

export const wireFormats: Readonly<Record<WireFormat, Format>> = { openai, anthropic, "google-ai": google };
