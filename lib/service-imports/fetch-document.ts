import { Worker } from "node:worker_threads";
import { isJsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { programFile } from "#lib/platform/programs.ts";
import { documentLimits, type ImportedService, type ReadDocument } from "./document/imported.ts";

const fetchMs = 20_000;

interface Source {
  readonly document?: string | Readonly<Record<string, unknown>> | undefined;
  readonly url?: string | undefined;
}

export function invalid(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The service is not valid", { details: { [field]: message } });
}

/** The service of a document that is given or fetched through the outbound guard. Throws VALIDATION_ERROR. */
export async function readSource(
  { document, url }: Source,
  workspaceId: string,
  outbound: Outbound,
): Promise<ImportedService> {
  const field = url === undefined ? "document" : "url";
  const text = url === undefined ? asText(document) : await fetched(url, outbound);
  if (Buffer.byteLength(text) > documentLimits.bytes) {
    throw invalid(field, `has more than ${documentLimits.bytes} bytes`);
  }
  const read = await readInWorker(text, url ?? null, workspaceId);
  if (read === "busy") {
    throw new AppError("SERVICE_UNAVAILABLE", "Too many documents are being read; try again shortly", {
      retryAfterSeconds: 5,
    });
  }
  if ("problem" in read) throw invalid(field, `The document ${read.problem}`);
  return read.service;
}

function asText(document: Source["document"]): string {
  return isJsonObject(document) ? JSON.stringify(document) : String(document);
}

async function fetched(url: string, outbound: Outbound): Promise<string> {
  try {
    const { status, body } = await outbound.send({
      ...{ method: "GET", url, followRedirects: true, timeoutMs: fetchMs },
      headers: { accept: "application/json, application/yaml, text/yaml, */*" },
      // Never aborted: a second timer would hide the timeout's error.
      signal: new AbortController().signal,
    });
    if (status >= 400) throw invalid("url", `The address answered ${status}`);
    return body.toString("utf8");
  } catch (error) {
    // Compares the name: other bundles have copies of the class.
    if (error instanceof Error && error.name === "OutboundError") {
      throw invalid("url", `The document could not be fetched: ${error.message}`);
    }
    throw error;
  }
}

interface Waiting {
  readonly characters: number;
  readonly start: () => void;
}

/** Those waiting for the one that is being read, by workspace. Workspaces take turns. */
const waiting = new Map<string, Waiting[]>();
let isReading = false;
/** What waits is held in memory. A workspace may have half of it, so that others get in; each may take 20 seconds. */
const charactersMax = 104_857_600;
const ofWorkspaceMax = { count: 20, characters: charactersMax / 2 } as const;

/**
 * Reads a document in a worker thread, which is terminated if it takes too much time or memory. One at a time, because
 * each takes a core. Never rejects.
 */
export async function readInWorker(
  text: string,
  from: string | null,
  workspaceId: string,
): Promise<ReadDocument | "busy"> {
  if (isReading) {
    const own = waiting.get(workspaceId) ?? [];
    const isFull =
      own.length >= ofWorkspaceMax.count ||
      charactersOf(own) + text.length > ofWorkspaceMax.characters ||
      charactersOf([...waiting.values()].flat()) + text.length > charactersMax;
    if (isFull) return "busy";
    const { promise, resolve } = Promise.withResolvers<void>();
    own.push({ characters: text.length, start: resolve });
    waiting.set(workspaceId, own);
    await promise;
  }
  isReading = true;
  try {
    return await readInThread(text, from);
  } finally {
    isReading = giveTurn();
  }
}

function charactersOf(documents: readonly Waiting[]): number {
  return documents.reduce((sum, { characters }) => sum + characters, 0);
}

/** Lets the next workspace read its next document; false if none waits. */
function giveTurn(): boolean {
  const [next] = waiting;
  if (next === undefined) return false;
  const [workspaceId, [first, ...others]] = next;
  waiting.delete(workspaceId);
  if (others.length > 0) waiting.set(workspaceId, others);
  first?.start();
  return true;
}

function readInThread(text: string, from: string | null): Promise<ReadDocument> {
  const { promise, resolve } = Promise.withResolvers<ReadDocument>();
  const worker = new Worker(/* turbopackIgnore: true */ programFile("lib/service-imports/document/thread.ts"), {
    env: {},
    workerData: { text, from },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: documentLimits.memoryMb },
  });
  const timer = setTimeout(() => void worker.terminate(), documentLimits.timeMs);
  worker.on("message", (read: ReadDocument) => resolve(read));
  worker.on("error", () => resolve(tooMuch));
  worker.on("exit", () => resolve(tooMuch));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

const tooMuch: ReadDocument = { problem: "takes too much time or memory to read" };
