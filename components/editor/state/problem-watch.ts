import type { Api } from "#components/api/use-api.ts";
import { ownerOf } from "../draft/read-problems.ts";
import type { Editor } from "./editor.ts";
import type { FoundProblem } from "./editor-state.ts";

const quietMs = 500;

/** Asks the server, a moment after each change, what would keep the flow from running: it alone knows every rule. */
export class ProblemWatch {
  readonly #editor: Editor;
  readonly #api: Api;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | null = null;
  #unsubscribe: () => void = () => {};

  constructor(editor: Editor, api: Api) {
    this.#editor = editor;
    this.#api = api;
  }

  start(): void {
    this.stop();
    this.#unsubscribe = this.#editor.store.subscribe(({ draft }, before) => {
      const isSame = draft.nodes === before.draft.nodes && draft.edges === before.draft.edges;
      if (!isSame || draft.trigger !== before.draft.trigger) this.#later();
    });
    void this.#ask();
  }

  stop(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), quietMs);
  }

  async #ask(): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const { trigger, nodes, edges } = this.#editor.draft;
    const body = { trigger, nodes: [...nodes], edges: [...edges] };
    // Without an answer, what was known stays.
    const answer = await this.#api.call("checkFlow", { body, signal: asking.signal }).catch(() => null);
    if (answer === null || asking.signal.aborted) return;
    const problems = answer.problems.map(({ path, message, nodeId }): FoundProblem => {
      const owner = ownerOf(path, nodeId, body);
      return { path, message, ...(owner !== undefined && { nodeId: owner }) };
    });
    const advice = answer.advice
      .filter(({ severity }) => severity !== "info")
      .map(({ path, message, nodeId, severity }): FoundProblem => {
        return { path, message, nodeId: ownerOf(path, nodeId, body) ?? nodeId, severity };
      });
    this.#editor.store.setState({ problems: [...problems, ...advice] });
  }
}
