import { Worker } from "node:worker_threads";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { SharedRoom } from "#lib/platform/processes/shared-room.ts";
import { programFile } from "#lib/platform/programs.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { type AnswerRoom, hashText, type PollResult, pollFailure } from "../items.ts";
import type { ReadEntry } from "./read-feed-text.ts";

const timeoutMs = 30_000;
/** Far more than the largest feed takes, even on a busy machine. */
const readMsMax = 30_000;
const memoryMbMax = 256;
const validatorCharactersMax = 500;

/** Threads that parse feeds, and how many of one workspace's. */
const threadsMax = { max: 3, ofOwnerMax: 1 } as const;
const threads = () => singleton("feed-threads", () => new SharedRoom(threadsMax));

interface FeedContext {
  readonly outbound: Pick<Outbound, "send">;
  readonly signal: AbortSignal;
  readonly workspaceId: string;
  readonly answer: AnswerRoom;
}

/** The server's cache validators of an answer. */
interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/**
 * A feed's entries, oldest first; null if it has not changed since the poll with these validators. Throws NodeFailure,
 * OutboundError.
 */
export async function readFeed(
  url: string,
  validators: string | null,
  context: FeedContext,
): Promise<PollResult | null> {
  const { etag, lastModified } = validators === null ? {} : (JSON.parse(validators) as Validators);
  const answer = await context.outbound.send({
    method: "GET",
    url,
    headers: {
      accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1",
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
    },
    timeoutMs,
    followRedirects: true,
    signal: context.signal,
  });
  if (answer.status === 304 && validators !== null) return null;
  if (answer.status < 200 || answer.status >= 300)
    throw pollFailure(`The feed's server answered ${answer.status}`, "url");
  const charset = /charset\s*=\s*"?([^"\s;]+)/i.exec(answer.headers["content-type"] ?? "")?.[1] ?? null;
  await context.answer.hold(answer.body.length);
  const leave = await threads().enter(context.workspaceId, 1);
  const entries = await readInWorker(answer.body, charset, context.signal).finally(leave);
  const items = entries.map(({ key, json }) => ({ key: hashText(key), content: null, body: () => JSON.parse(json) }));
  return { items, validators: validatorsOf(answer.headers) };
}

function validatorsOf({ etag, "last-modified": lastModified }: Readonly<Record<string, string>>): string | null {
  const validator = (value: string | undefined) =>
    value && value.length <= validatorCharactersMax ? value : undefined;
  const validators: Validators = { etag: validator(etag), lastModified: validator(lastModified) };
  return validators.etag === undefined && validators.lastModified === undefined ? null : JSON.stringify(validators);
}

type Read = { readonly entries: readonly ReadEntry[] } | { readonly problem: string };

/** Parses a feed in a worker thread, which is terminated if it takes too much time or memory. */
async function readInWorker(body: Buffer, charset: string | null, signal: AbortSignal): Promise<readonly ReadEntry[]> {
  signal.throwIfAborted();
  const worker = new Worker(/* turbopackIgnore: true */ programFile("lib/polls/feed/thread.ts"), {
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
    workerData: { bytes: new Uint8Array(body), charset },
  });
  const end = () => void worker.terminate();
  const timer = setTimeout(end, readMsMax);
  signal.addEventListener("abort", end, { once: true });
  try {
    const read = await new Promise<Read>((resolve) => {
      worker.once("message", resolve);
      const tooMuch = { problem: "reading it takes too much time or memory" };
      worker.once("error", () => resolve(tooMuch)).once("exit", () => resolve(tooMuch));
    });
    if ("entries" in read) return read.entries;
    throw pollFailure(`The feed cannot be read: ${read.problem}`, "url");
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    end();
  }
}
