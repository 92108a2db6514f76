// The worker thread that parses one feed.
import { parentPort, workerData } from "node:worker_threads";
import { readFeedText } from "./read-feed-text.ts";

const { bytes, charset } = workerData as { readonly bytes: Uint8Array; readonly charset: string | null };
try {
  parentPort?.postMessage({ entries: readFeedText(bytes, charset) });
} catch (error) {
  parentPort?.postMessage({ problem: error instanceof Error ? error.message : "it cannot be read" });
}
