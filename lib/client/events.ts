import { type Connection, ConnectionError, type Operation } from "./connection.ts";

/** A server-sent event. */
export interface SentEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** The maximum size of an event: a server that never ends one must not fill the memory. */
const eventCharactersMax = 64 * 1_048_576;

/** Parses server-sent events by the HTML standard. Throws if an event is too large. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<SentEvent, void, undefined> {
  const decoder = new TextDecoder();
  let lines: string[] = [];
  let rest = "";
  let characters = 0;
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end may be half of a CR LF.
    const complete = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
    const parts = complete.split(/\r\n|\n|\r/);
    rest = (parts.pop() ?? "") + rest.slice(complete.length);
    for (const line of parts) {
      characters += line.length;
      if (line !== "") {
        lines.push(line);
        continue;
      }
      const event = eventOf(lines);
      if (event !== null) yield event;
      [lines, characters] = [[], 0];
    }
    if (characters + rest.length > eventCharactersMax) throw new Error("An event of the stream is too large");
  }
}

function eventOf(lines: readonly string[]): SentEvent | null {
  const data: string[] = [];
  let [event, id]: [string, string | null] = ["message", null];
  for (const line of lines) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id") id = value;
  }
  return data.length === 0 ? null : { id, event, data: data.join("\n") };
}

const stream: Operation = { method: "GET", path: "/executions/:id/stream", shape: "stream" };
/** Consecutive connections without an event. */
const emptyMax = 5;

export interface FollowOptions {
  readonly includeNodeOutputs?: boolean | undefined;
  /** Continues after this event. */
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows an execution to its end: its events in order, each once. Reconnects after a lost connection and continues
 * where it was. Throws ApiError, ConnectionError, and the signal's reason.
 */
export async function* followExecution(
  connection: Connection,
  id: string,
  { includeNodeOutputs, lastEventId, signal }: FollowOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  let last = lastEventId;
  for (let empty = 0; empty < emptyMax; empty += 1) {
    const response = await connection.fetch(stream, {
      params: { id },
      query: { includeNodeOutputs, lastEventId: last },
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.status === 204 || response.body === null) return;
    try {
      for await (const sent of readEvents(response.body as unknown as AsyncIterable<Uint8Array>)) {
        empty = 0;
        if (sent.id !== null) last = sent.id;
        yield { id: Number(sent.id), event: sent.event, data: JSON.parse(sent.data) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      // Reconnects after a broken connection, but not after an unreadable event.
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new ConnectionError(connection.url, new Error("the event stream was disconnected repeatedly"));
}
