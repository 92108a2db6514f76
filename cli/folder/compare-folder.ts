// Compares a folder with a server: the flow of each file, and how the two differ.
import { listFlows } from "#lib/contract/flows/flows.ts";
import type { Server } from "../server/server.ts";
import { forEach, readServerText, type ServerFlow } from "../server/server-flows.ts";
import type { Terminal } from "../terminal.ts";
import { type LocalFlow, readLocal, settleFiles } from "./folder.ts";
import { earlierTexts } from "./git.ts";
import { type Comparison, compareSides } from "./standing.ts";
import { type FolderState, requireFlowId } from "./state.ts";
import { canonicalText, readText } from "./texts.ts";

export interface Entry extends Comparison {
  readonly file: string;
  /** Null for a file whose flow is not on the server yet. */
  readonly id: string | null;
  readonly local: LocalFlow | null;
  readonly there: ServerFlow | null;
}

export interface FolderComparison {
  readonly entries: readonly Entry[];
  /** Flows without a file. */
  readonly elsewhere: readonly { readonly id: string; readonly name: string }[];
}

/** `lists`: whether to look for flows without a file. Throws Failure, ApiError, ConnectionError. */
export async function compareFolder(
  server: Server,
  state: FolderState,
  terminal: Terminal,
  { lists }: { readonly lists: boolean },
): Promise<FolderComparison> {
  const local = readLocal(state.folder);
  const { settled, lost, renamed } = settleFiles(state.files(), local, (id) => pulledName(state, id));
  for (const { to, id } of renamed) state.keepFile(to, id);
  let read = 0;
  const compare = async (file: string, id: string | null, flow: LocalFlow | null): Promise<Entry> => {
    const there = id === null ? null : await readServerText(server, id);
    read += 1;
    terminal.progress(`Compared ${read} of ${local.length + lost.length}`);
    return { file, id, local: flow, there, ...compareEntry(state, { file, id, local: flow, there }) };
  };
  const entries = await forEach(
    [
      ...local.map((flow) => [flow.file, settled.get(flow.file) ?? null, flow] as const),
      ...lost.map(([file, id]) => [file, id, null] as const),
    ],
    ([file, id, flow]) => compare(file, id, flow),
  );
  const known = new Set(entries.map(({ id }) => id));
  const elsewhere: { id: string; name: string }[] = [];
  if (lists) {
    for await (const { id, name } of server.each(listFlows, { query: { sortBy: "createdAt", order: "asc" } })) {
      requireFlowId(id);
      if (!known.has(id)) elsewhere.push({ id, name });
    }
  }
  terminal.done();
  return { entries, elsewhere };
}

function pulledName(state: FolderState, id: string): string | null {
  const text = state.pulled(id)?.text;
  return text === undefined ? null : (readText(text).document?.flow.name ?? null);
}

/** Compares one file. */
export function compareEntry(
  state: FolderState,
  { file, id, local, there }: Pick<Entry, "file" | "id" | "local" | "there">,
): Comparison {
  if (local !== null && local.document === null) return { standing: "unreadable" };
  if (id === null) return { standing: "new" };
  if (there === null) return { standing: "gone" };
  if (local === null) return { standing: "deleted" };
  const pulled = state.pulled(id)?.text ?? "";
  return compareSides({
    local: { text: local.text, document: local.document as NonNullable<LocalFlow["document"]> },
    there,
    // An unreadable record counts as missing. Parsing a long one takes a second, and usually nothing has changed.
    pulled: pulled === there.text ? pulled : canonicalText(pulled),
    earlier: () => earlierTexts(state.folder, file),
  });
}
