// Reads server-sent events as the standard requires.
import { onTestFinished } from "vitest";
import { apiKey, baseUrl } from "./address.ts";
import { eventually } from "./eventually.ts";

export interface SentEvent {
  readonly id: number;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the stream tells
  readonly data: any;
}

interface Options {
  readonly base?: string;
  /** Null for none, for callers with a session. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/** An open stream; closed when the test ends. */
export class EventReader {
  readonly events: SentEvent[] = [];
  comments = 0;
  readonly response: Response;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  readonly #leave: AbortController;

  private constructor(response: Response, leave: AbortController) {
    this.response = response;
    this.#leave = leave;
    this.ended = this.#read();
    this.ended.catch(() => {});
  }

  static async open(path: string, options: Options = {}): Promise<EventReader> {
    const { base = `${baseUrl()}/api/v1`, key = apiKey(), headers } = options;
    const leave = new AbortController();
    const response = await fetch(`${base}${path}`, {
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        accept: "text/event-stream",
        ...headers,
      },
      signal: leave.signal,
    });
    const reader = new EventReader(response, leave);
    onTestFinished(() => reader.leave());
    return reader;
  }

  leave(): void {
    this.#leave.abort();
  }

  /** The first matching event, once it is there. */
  until(description: string, fits: (event: SentEvent) => boolean): Promise<SentEvent> {
    return eventually(description, () => this.events.find(fits));
  }

  async #read(): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const lines = block.split("\n");
    if (lines[0]?.startsWith(":")) this.comments += 1;
    const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
    const [event, data] = [fields.get("event"), fields.get("data")];
    if (event === undefined || data === undefined) return;
    this.events.push({ id: Number(fields.get("id")), event, data: JSON.parse(data) });
  }
}
