import { text as readAll } from "node:stream/consumers";
import { ApiError } from "#lib/contract/client.ts";
import { listFlows } from "#lib/contract/flows/flows.ts";
import { askHidden } from "#lib/platform/ask-hidden.ts";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { currentServer, isKey, keepKey, serverUrl } from "../server/keys.ts";
import { Server } from "../server/server.ts";

/** Stores a server's key after checking it. Read from input, never an argument, which other users could see. */
export const login: Command<[string | undefined]> = async ({ terminal, environment }, _, given) => {
  const url = given === undefined ? currentServer(environment) : serverUrl(given);
  const { MILLRACE_API_KEY: fromEnvironment } = environment;
  const key = (fromEnvironment || (await askForKey(url))).trim();
  if (!isKey(key)) throw new Failure("usage", "That is not an API key");
  await tryKey(new Server({ url, key }, 1));
  const path = await keepKey(environment, { url, key });
  terminal.print(`Commands now use ${url}. The key is stored in ${path}.`);
  terminal.printJson({ url, keyFile: path });
  return exitCodes.ok;
};

async function tryKey(server: Server): Promise<void> {
  try {
    await server.send(listFlows, { query: { limit: 1 } });
  } catch (error) {
    // A key without `flows:read` is valid, too.
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
  }
}

/** Reads from a terminal without echo, or all of standard input. */
async function askForKey(url: string): Promise<string> {
  if (process.stdin.isTTY !== true) return await readAll(process.stdin);
  const question = `API key for ${url} (${url}/settings/api-keys): `;
  const key = await askHidden(question, { input: process.stdin, err: process.stderr });
  if (key === null) throw new Failure("usage", "Stopped: no key is stored");
  return key;
}
