// The worker thread that parses one long flow text.
import { parentPort, workerData } from "node:worker_threads";
import { readText } from "./read-text.ts";

const { text, paths } = workerData as { readonly text: string; readonly paths: readonly string[] };
parentPort?.postMessage(readText(text, paths));
