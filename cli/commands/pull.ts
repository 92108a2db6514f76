import { join } from "node:path";
import { writeFlowText } from "#lib/flow-text/write-flow-text.ts";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { compareFolder, type Entry } from "../folder/compare-folder.ts";
import { fileNameFor, findFlowFiles, readText, writeAtomically } from "../folder/flow-files.ts";
import { makeFolder } from "../folder/folder.ts";
import { withFolderLock } from "../folder/lock.ts";
import { FolderState } from "../folder/state.ts";
import { serverOf } from "../server/server.ts";
import { forEach, readServerText, type ServerFlow } from "../server/server-flows.ts";

interface Pulled {
  readonly file: string;
  readonly id: string | null;
  readonly result: "written" | "merged" | "kept" | "conflict" | "refused";
  readonly message: string;
}

/** Writes the server's flows to files. Local changes are kept: both sides are merged. */
export const pull: Command<[string], { readonly force?: boolean }> = async (
  { terminal, environment },
  options,
  given,
) => {
  const server = serverOf(environment);
  const folder = makeFolder(given);
  const state = new FolderState(folder, server.url);
  const writer = new PullWriter(folder, state, server.url);
  return await withFolderLock(state, async () => {
    const { entries, elsewhere } = await compareFolder(server, state, terminal, { lists: true });
    const pulled = entries.flatMap((entry) => writer.pullEntry(entry, options.force === true) ?? []);
    // The name of a file that was deleted on purpose stays reserved for its flow.
    const taken = new Set([...findFlowFiles(folder), ...state.files().keys()]);
    let read = 0;
    const found = await forEach(elsewhere, async ({ id }) => {
      read += 1;
      terminal.progress(`Read ${read} of ${elsewhere.length}`);
      return await readServerText(server, id);
    });
    for (const there of found) {
      // Deleted since the list was read.
      if (there === null) continue;
      const file = fileNameFor(there.name, taken);
      taken.add(file);
      pulled.push(writer.writeNew(file, there));
    }
    const isComplete = pulled.every(({ result }) => result !== "conflict" && result !== "refused");
    for (const { file, result, message } of pulled) {
      const paint = result === "conflict" || result === "refused" ? "red" : result === "kept" ? "dim" : "green";
      terminal.print(`${terminal.paint(paint, result.padEnd(8))} ${file}: ${message}`);
    }
    if (pulled.length === 0) terminal.print("Everything is up to date.");
    terminal.printJson({ server: server.url, files: pulled });
    return isComplete ? exitCodes.ok : exitCodes.differs;
  });
};

/** Writes flows of the server into a folder's files, and keeps in its state what was written. */
class PullWriter {
  readonly #folder: string;
  readonly #state: FolderState;
  readonly #schemaUrl: string;

  constructor(folder: string, state: FolderState, serverUrl: string) {
    this.#folder = folder;
    this.#state = state;
    this.#schemaUrl = `${serverUrl}/api/v1/flow-schema.json`;
  }

  writeNew(file: string, there: ServerFlow): Pulled {
    const text = writeFlowText(there.document, { schemaUrl: this.#schemaUrl });
    return this.#write(file, there, text, "written", "new here");
  }

  /** Writes what changed on the server. Null if there is nothing to do or to say. */
  pullEntry({ file, id, local, there, standing, merged }: Entry, isForced: boolean): Pulled | null {
    const refuse = (message: string): Pulled => ({ file, id, result: "refused", message });
    const keep = (message: string): Pulled => ({ file, id, result: "kept", message });
    if (local !== null && readText(join(this.#folder, file)) !== local.text) {
      throw new Failure("differs", `${file} changed while it was read: pull again`);
    }
    if (standing === "gone")
      return keep("deleted on the server; delete the file, or recreate the flow with push --create");
    if (there === null) return standing === "unreadable" ? keep("cannot be read") : null;
    if (standing === "same" || (standing === "ahead" && !isForced)) {
      this.#keepState(file, there);
      return null;
    }
    const text = () =>
      writeFlowText(there.document, local === null ? { schemaUrl: this.#schemaUrl } : { previous: local.text });
    if (isForced) return this.#write(file, there, text(), "written", "as it is on the server");
    if (standing === "deleted")
      return keep("deleted here; push --prune deletes it on the server, pull --force brings it back");
    if (standing === "unreadable") return refuse("cannot be read; fix it, or overwrite it with pull --force");
    if (standing === "unknown") {
      return refuse(
        "differs, and no pull is on record here; push from where it was changed, or pull --force writes over it",
      );
    }
    if (merged === undefined) return this.#write(file, there, text(), "written", "changed on the server");
    const { conflicts, text: both } = merged;
    if (conflicts.length === 0) return this.#write(file, there, both, "merged", "with what changed here");
    const fields = conflicts.map(({ what }) => what).join(", ");
    return this.#write(file, there, both, "conflict", `both changed ${fields}: choose one side in the file, then push`);
  }

  #write(file: string, there: ServerFlow, text: string, result: Pulled["result"], message: string): Pulled {
    // An editor may have changed the file since it was read.
    writeAtomically(join(this.#folder, file), text);
    this.#keepState(file, there);
    return { file, id: there.id, result, message };
  }

  #keepState(file: string, { id, text }: ServerFlow): void {
    this.#state.keepFile(file, id);
    this.#state.keepPulled(id, { text });
  }
}
