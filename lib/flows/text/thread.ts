// A thread that reads one long text of a flow, to spare the server's own.
import { parentPort, workerData } from "node:worker_threads";
import { readText } from "./read-text.ts";

const { text, paths } = workerData as { readonly text: string; readonly paths: readonly string[] };
parentPort?.postMessage(readText(text, paths));
