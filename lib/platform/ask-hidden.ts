// Asking for secrets in a terminal, for the commands of the server and of the command line.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

interface Asking {
  readonly input: NodeJS.ReadableStream;
  readonly err: { write(text: string): unknown };
}

/** Reads a line that the terminal does not show; null if Ctrl-C or Ctrl-D ends it. */
export async function askHidden(question: string, { input, err }: Asking): Promise<string | null> {
  err.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  const ended = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
  try {
    return await Promise.race([lines.question("").catch(() => null), ended]);
  } finally {
    lines.close();
    err.write("\n");
  }
}
