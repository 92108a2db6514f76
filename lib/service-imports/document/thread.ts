// The worker thread that reads one document.
import { parentPort, workerData } from "node:worker_threads";
import { readDocument } from "./read-document.ts";

const { text, from } = workerData as { text: string; from: string | null };
parentPort?.postMessage(readDocument(text, from));
