import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ApiError } from "#lib/contract/client.ts";
import { createFlow, deleteFlow, updateFlow } from "#lib/contract/flows/flows.ts";
import { diffFlows } from "#lib/flow-text/diff-flows.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { compareEntry, compareFolder, type Entry } from "../folder/compare-folder.ts";
import { readText, writeAtomically } from "../folder/flow-files.ts";
import { requireFolder } from "../folder/folder.ts";
import { withFolderLock } from "../folder/lock.ts";
import { FolderState } from "../folder/state.ts";
import { asStored } from "../folder/texts.ts";
import { isRefusal, reasonsOf, type Server, serverOf } from "../server/server.ts";
import { readServerFlow, readServerText, type ServerFlow } from "../server/server-flows.ts";

interface PushOptions {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly activate?: boolean;
  readonly create?: boolean;
}

interface Pushed {
  readonly file: string;
  readonly id: string | null;
  readonly result: "created" | "changed" | "merged" | "activated" | "deleted" | "same" | "refused";
  readonly message: string;
  readonly changes?: readonly string[];
}

/** The maximum number of attempts for a flow that someone else is changing at the same time. */
const attemptsMax = 3;

/** Sends local changes. Each flow is written completely or not at all, and never over newer changes on the server. */
export const push: Command<[string], PushOptions> = async ({ terminal, environment }, options, given) => {
  const server = serverOf(environment);
  const folder = requireFolder(given);
  const state = new FolderState(folder, server.url);
  return await withFolderLock(state, async () => {
    const { entries } = await compareFolder(server, state, terminal, { lists: false });
    const pushed: Pushed[] = [];
    for (const [index, entry] of entries.entries()) {
      terminal.progress(`Pushing ${index + 1} of ${entries.length}: ${entry.file}`);
      const outcome = await new Push(server, state, options).push(entry);
      if (outcome.result !== "same" || outcome.message !== "") {
        const paint = outcome.result === "refused" ? "red" : outcome.result === "same" ? "dim" : "green";
        terminal.print(`${terminal.paint(paint, outcome.result.padEnd(9))} ${outcome.file}: ${outcome.message}`);
        for (const change of outcome.changes ?? []) terminal.print(`    ${change}`);
      }
      pushed.push(outcome);
    }
    terminal.done();
    const changed = pushed.filter(({ result }) => result !== "same" && result !== "refused").length;
    const refused = pushed.filter(({ result }) => result === "refused").length;
    const done = options.dryRun === true ? "would change" : "changed";
    terminal.print(`${changed} ${done}, ${pushed.length - changed - refused} the same, ${refused} refused`);
    terminal.printJson({ server: server.url, dryRun: options.dryRun === true, files: pushed });
    return refused > 0 ? exitCodes.differs : exitCodes.ok;
  });
};

class Push {
  readonly #server: Server;
  readonly #state: FolderState;
  readonly #options: PushOptions;

  constructor(server: Server, state: FolderState, options: PushOptions) {
    this.#server = server;
    this.#state = state;
    this.#options = options;
  }

  async push(entry: Entry): Promise<Pushed> {
    let current = this.#isWritten(entry) ? await this.#readAgain(entry) : entry;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#pushOnce(current);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const isChanged = error.status === 409 && error.details.currentVersion !== undefined;
        if (!isChanged || attempt >= attemptsMax || current.id === null) return refused(current, error);
        // Someone else was faster: compare with the current version.
        current = await this.#readAgain(current);
      }
    }
  }

  /** Whether a write may follow, which needs the flow's version. */
  #isWritten({ standing }: Entry): boolean {
    const { dryRun, prune, activate } = this.#options;
    if (standing === "same") return activate === true;
    if (dryRun === true) return false;
    return standing === "ahead" || standing === "merges" || (standing === "deleted" && prune === true);
  }

  /** Compares again, with the flow's version and status. */
  async #readAgain({ file, id, local }: Entry): Promise<Entry> {
    const there = id === null ? null : await readServerFlow(this.#server, id);
    return { file, id, local, there, ...compareEntry(this.#state, { file, id, local, there }) };
  }

  async #pushOnce(entry: Entry): Promise<Pushed> {
    const { file, id, local, there, merged } = entry;
    const refuse = (message: string): Pushed => ({ file, id, result: "refused", message });
    switch (entry.standing) {
      case "unreadable": {
        const [{ line, column, message } = { line: 1, column: 1, message: "cannot be read" }] = local?.problems ?? [];
        return refuse(`${line}:${column}: ${message}`);
      }
      case "gone":
        if (this.#options.create === true && local !== null) return await this.#create(entry);
        if (local === null) return this.#forget(entry);
        return refuse("was deleted on the server; push --create recreates it");
      case "new":
        return await this.#create(entry);
      case "deleted":
        return await this.#delete(entry);
      case "behind":
        return refuse("changed on the server, but not here: pull first");
      case "unknown":
        return refuse("differs, and was never pulled here: pull first");
      case "clashes": {
        const fields = merged?.conflicts.map(({ what }) => what).join(", ");
        return refuse(`changed on the server since the pull, in the same fields (${fields}): pull, choose, push again`);
      }
      case "same":
        if (there !== null) this.#keep(file, there);
        return await this.#activate(entry);
      default:
        return await this.#change(entry);
    }
  }

  async #create(entry: Entry): Promise<Pushed> {
    const { file, local } = entry;
    const document = local?.document as FlowDocument;
    const { name, nodes } = document.flow;
    const outcome = { file, result: "created" as const, message: `"${name}", ${nodes.length} nodes` };
    if (this.#options.dryRun === true) return { ...outcome, id: null };
    const status = this.#options.activate === true ? ("active" as const) : ("draft" as const);
    const body = { ...bodyOf(document), status };
    const create = async (before: string | null) => {
      // Repeating the request after a kill does not create a second flow.
      const key = createHash("sha256")
        .update(JSON.stringify([file, before, body]))
        .digest("hex");
      const headers = { "idempotency-key": `push-${key}` };
      return (await this.#server.call(createFlow, { body, headers })).id;
    };
    let id = await create(entry.id);
    // It may be the answer to an earlier push of the same file, whose flow has been deleted since.
    for (let attempt = 1; !(await this.#keepRead(file, id)) && attempt < attemptsMax; attempt += 1)
      id = await create(id);
    return { ...outcome, id };
  }

  async #change({ file, id, local, there, merged }: Entry): Promise<Pushed> {
    const flow = there as ServerFlow;
    const document = merged?.document ?? asStored(local?.document as FlowDocument, flow.document);
    const changes = diffFlows(flow.document, document, nodeTypes.traits).map(({ summary }) => summary);
    const result = merged === undefined ? "changed" : "merged";
    const message = changes.length === 0 ? "only where cards stand" : `${changes.length} changes`;
    const outcome = { file, id, result, message, changes } as const;
    if (this.#options.dryRun === true) return outcome;
    // Written first, so that the file matches the request even if this process is killed now.
    if (merged !== undefined) this.#write(file, local?.text ?? null, merged.text);
    const body = {
      ...bodyOf(document, flow.document),
      ...(this.#options.activate === true ? { status: "active" as const } : {}),
    };
    const headers = { "if-match": `"${flow.version}"` };
    await this.#server.send(updateFlow, { params: { id: flow.id }, body, headers });
    // The server's version, which may have defaults that the text leaves out.
    await this.#keepRead(file, flow.id);
    return outcome;
  }

  async #activate({ file, id, there }: Entry): Promise<Pushed> {
    if (this.#options.activate !== true || there === null || there.status === "active") {
      return { file, id, result: "same", message: "" };
    }
    const outcome = { file, id, result: "activated", message: `"${there.name}"` } as const;
    if (this.#options.dryRun === true) return outcome;
    const headers = { "if-match": `"${there.version}"` };
    await this.#server.call(updateFlow, { params: { id: there.id }, body: { status: "active" }, headers });
    return outcome;
  }

  async #delete({ file, id, there }: Entry): Promise<Pushed> {
    const flow = there as ServerFlow;
    if (this.#options.prune !== true) {
      return { file, id, result: "same", message: "deleted here; push --prune deletes it on the server" };
    }
    if (this.#state.pulled(flow.id)?.text !== flow.text) {
      return {
        file,
        id,
        result: "refused",
        message: "changed on the server since the pull: pull --force brings it back",
      };
    }
    const outcome = { file, id, result: "deleted", message: `"${flow.name}"` } as const;
    if (this.#options.dryRun === true) return outcome;
    await this.#server.call(deleteFlow, { params: { id: flow.id }, headers: { "if-match": `"${flow.version}"` } });
    this.#state.forget(file, flow.id);
    return outcome;
  }

  #forget({ file, id }: Entry): Pushed {
    if (id !== null && this.#options.dryRun !== true) this.#state.forget(file, id);
    return { file, id, result: "same", message: "deleted here and on the server" };
  }

  #keep(file: string, { id, text }: ServerFlow): void {
    if (this.#options.dryRun === true) return;
    this.#state.keepFile(file, id);
    this.#state.keepPulled(id, { text });
  }

  /** Whether the flow is on the server. */
  async #keepRead(file: string, id: string): Promise<boolean> {
    // Recorded at once: if this process is killed, the next push finds the flow and does not create another.
    this.#state.keepFile(file, id);
    const there = await readServerText(this.#server, id);
    if (there !== null) this.#keep(file, there);
    return there !== null;
  }

  /** Never overwrites what an editor has written meanwhile. */
  #write(file: string, before: string | null, text: string): void {
    const path = join(this.#state.folder, file);
    if (readText(path) === before) writeAtomically(path, text);
  }
}

/**
 * The flow as the API takes it, with every field, so that fields removed from the text are removed on the server. Tags
 * only where they are on either side: version 1.0.0 does not export them.
 */
function bodyOf({ flow, tests = [] }: FlowDocument, there?: FlowDocument) {
  const { name, description, trigger, nodes, edges, variables = {}, settings = null } = flow;
  const tags = flow.tags ?? (there?.flow.tags === undefined ? undefined : []);
  return {
    ...{ name, description, trigger, variables, settings },
    ...(tags === undefined ? {} : { tags: [...tags] }),
    nodes: nodes.map((node) => ({ ...node })),
    edges: [...edges],
    tests: tests.map(({ trigger: given, ...test }) => ({
      ...test,
      trigger: { ...given, query: given.query as Record<string, string | string[]> },
    })),
  };
}

function refused({ file, id }: Entry, error: ApiError): Pushed {
  return { file, id, result: "refused", message: reasonsOf(error).join("; ") };
}
