// A fake model server that speaks the wire formats of OpenAI, Anthropic and Google, with and without streaming.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { eventually } from "../eventually.ts";
import { type ScriptedAnswer, type WireFormat, wireFormats } from "./wire-formats.ts";

/** A request as the server understood it. */
export interface ModelRequestReceived {
  readonly format: WireFormat;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw request, for checks of what it must not contain. */
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/**
 * The server's behaviour: a reply, a status, raw text, half a reply that then hangs, an immediate hang, or an endless
 * response.
 */
export type ModelReply =
  | ScriptedAnswer
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | { readonly raw: string }
  | { readonly halfOf: ScriptedAnswer }
  | "hold"
  | "endless";

export interface ModelServer {
  readonly requests: readonly ModelRequestReceived[];
  /** The `data` of a credential of this type. */
  credential(format: WireFormat): { readonly apiKey: string; readonly baseUrl: string };
  /** Waits for this many requests. */
  until(count: number): Promise<void>;
  /** Answers the held requests with this text. */
  release(scripted?: ScriptedAnswer): void;
  /** Closes the held requests' connections. */
  cut(): void;
  readonly port: number;
}

export const modelKey = "sk-test-5ecret-of-the-model";

/** Closed when the test ends. `reply` receives the request's index, from 0. */
export async function startModelServer(
  reply: (index: number, received: ModelRequestReceived) => ModelReply,
  port = 0,
): Promise<ModelServer> {
  const received: ModelRequestReceived[] = [];
  const held: ((scripted: ScriptedAnswer) => void)[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const incoming = await read(request);
    if (incoming === null) {
      const isKnown = JSON.stringify(request.headers).includes(modelKey);
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end('{"data":[]}');
      return;
    }
    const scripted = reply(received.push(incoming) - 1, incoming);
    if (scripted === "hold" || (typeof scripted === "object" && "halfOf" in scripted)) waiting.push(response);
    if (scripted === "hold") held.push((text) => answer(response, incoming, text));
    else if (typeof scripted === "object" && "halfOf" in scripted)
      held.push(answerHalf(response, incoming, scripted.halfOf));
    else answer(response, incoming, scripted);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port: its } = server.address() as AddressInfo;
  return {
    requests: received,
    port: its,
    credential: (format) => ({ apiKey: modelKey, baseUrl: `http://127.0.0.1:${its}${wireFormats[format].base}` }),
    until: async (count) => {
      await eventually(`${count} questions arrive`, () => (received.length >= count ? true : undefined));
    },
    release: (scripted = { text: "late" }) => {
      for (const release of held.splice(0)) release(scripted);
    },
    cut: () => {
      for (const response of waiting.splice(0)) response.destroy();
    },
  };
}

async function read(request: IncomingMessage): Promise<ModelRequestReceived | null> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const url = request.url ?? "";
  const format = (Object.keys(wireFormats) as WireFormat[]).find((name) => wireFormats[name].path.test(url));
  if (format === undefined || request.method !== "POST") return null;
  return { format, url, headers: request.headers, text, body: JSON.parse(text) as Record<string, unknown> };
}

const isStreamed = ({ body, url }: ModelRequestReceived) => body.stream === true || url.includes("stream");

/** Sends half of a streamed answer; the returned function sends the rest. */
function answerHalf(response: ServerResponse, received: ModelRequestReceived, scripted: ScriptedAnswer): () => void {
  const text = isStreamed(received)
    ? wireFormats[received.format].streamed(scripted)
    : JSON.stringify(wireFormats[received.format].whole(scripted));
  const half = text.indexOf("\n\n", text.length / 2) + 2;
  response.writeHead(200, { "content-type": isStreamed(received) ? "text/event-stream" : "application/json" });
  response.write(text.slice(0, half));
  return () => void response.end(text.slice(half));
}

type Answered = Exclude<ModelReply, "hold" | { readonly halfOf: ScriptedAnswer }>;

function answer(response: ServerResponse, received: ModelRequestReceived, reply: Answered): void {
  if (reply === "endless") {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65_536))) {}
    };
    response.on("drain", more);
    more();
  } else if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(reply.body ?? { error: { message: "no", type: "error" } }));
  } else if ("raw" in reply) {
    response.writeHead(200, { "content-type": "application/json" }).end(reply.raw);
  } else {
    const format = wireFormats[received.format];
    response.writeHead(200, { "content-type": isStreamed(received) ? "text/event-stream" : "application/json" });
    response.end(isStreamed(received) ? format.streamed(reply) : JSON.stringify(format.whole(reply)));
  }
}
