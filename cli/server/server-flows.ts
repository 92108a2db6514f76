import { join } from "node:path";
import { ApiError } from "#lib/contract/client.ts";
import { exportFlow } from "#lib/contract/flows/flow-copies.ts";
import { listFlows, readFlow } from "#lib/contract/flows/flows.ts";
import type { FlowStatus } from "#lib/engine/flow.ts";
import { type FlowDocument, flowDocument } from "#lib/flow-text/flow-document.ts";
import { Failure } from "../failure.ts";
import { FolderState, pathIn, pulledFolderOf } from "../folder/state.ts";
import { canonical } from "../folder/texts.ts";
import type { Server } from "./server.ts";

/** A flow on the server. */
export interface ServerFlow {
  readonly id: string;
  readonly name: string;
  /** Null if only its text was read. */
  readonly status: FlowStatus | null;
  readonly version: number | null;
  readonly document: FlowDocument;
  /** Canonical. */
  readonly text: string;
}

/** The flow, with what a write needs. Null if there is none. Throws ApiError, ConnectionError. */
export async function readServerFlow(server: Server, id: string): Promise<ServerFlow | null> {
  return await orNull(async () => {
    // The version is read first: if the flow changes before the second read, a write with this version is refused.
    const { payload, version } = await server.send(readFlow, { params: { id } });
    const { status } = payload;
    return { ...(await readText(server, id)), status, version: version ?? payload.version };
  });
}

/** The flow's text, in one request: a workspace may have few of them an hour. */
export async function readServerText(server: Server, id: string): Promise<ServerFlow | null> {
  return await orNull(async () => ({ ...(await readText(server, id)), status: null, version: null }));
}

async function readText(server: Server, id: string): Promise<Omit<ServerFlow, "status" | "version">> {
  const { data, error } = flowDocument.safeParse(await server.call(exportFlow, { params: { id } }));
  if (data === undefined) {
    throw new Failure("server", `What the server has of ${id} is no flow to this version: ${error.issues[0]?.message}`);
  }
  const document = data as FlowDocument;
  return { id, name: document.flow.name, document, text: canonical(document) };
}

async function orNull<Read>(read: () => Promise<Read>): Promise<Read | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

const atOnce = 4;

/** Runs work for each item, a few at a time, and returns the results in order. Stops at the first failure. */
export async function forEach<Item, Made>(
  items: readonly Item[],
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) made[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return made;
}

interface FoundFlow {
  readonly id: string;
  readonly name: string;
  /** Its file in the folder that it was pulled into. */
  readonly file?: string | undefined;
}

/** Finds a flow by its id, file or name. Throws Failure if there is none, or more than one. */
export async function findServerFlow(server: Server, nameOrId: string): Promise<FoundFlow> {
  const folder = pulledFolderOf(nameOrId);
  const files = new FolderState(folder, server.url).files();
  const id = /^flow_[0-9a-z]{26}$/.test(nameOrId) ? nameOrId : files.get(pathIn(folder, nameOrId));
  const found = id === undefined ? await findByName(server, nameOrId) : await server.call(readFlow, { params: { id } });
  const file = [...files].find(([, flow]) => flow === found.id)?.[0];
  return { id: found.id, name: found.name, file: file === undefined ? undefined : join(folder, file) };
}

async function findByName(server: Server, nameOrId: string): Promise<{ readonly id: string; readonly name: string }> {
  const found: { id: string; name: string }[] = [];
  for await (const { id: own, name } of server.each(listFlows, { query: { search: nameOrId } })) {
    if (name === nameOrId) found.push({ id: own, name });
  }
  const [only, ...others] = found;
  if (only === undefined) throw new Failure("usage", `There is no flow with the id, file or name "${nameOrId}"`);
  if (others.length === 0) return only;
  const ids = found.map((flow) => flow.id).join(", ");
  throw new Failure("usage", `${found.length} flows are named "${nameOrId}": use an id instead (${ids})`);
}
