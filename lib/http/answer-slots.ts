// Reads of one workspace take turns, so that a thousand at once neither keep every database connection busy nor fill the
// memory: an answer may have 20 MB, which stay in memory until its client has read them.
import { AppError } from "#lib/errors.ts";
import { singleton } from "#lib/platform/singleton.ts";

const slotsMax = 8;
const patienceMs = 30_000;
const retryAfter = 5;

interface Workspace {
  taken: number;
  /** Gives each its slot, in the order of their arrival. */
  readonly waiting: Set<() => void>;
}

/** Limits the answers of a workspace that are made and sent at once. */
export class AnswerSlots {
  readonly #workspaces = new Map<string, Workspace>();
  readonly #sent = new WeakMap<Request, Promise<void>>();
  readonly #patienceMs: number;

  constructor(patience = patienceMs) {
    this.#patienceMs = patience;
  }

  /** Notes when a request's client has the answer, or has left. */
  note(request: Request, sent: Promise<void>): void {
    this.#sent.set(request, sent);
  }

  /** Takes a slot until the request's client has the answer. Where Next answers, nobody knows when: it takes none. */
  async takeFor(request: Request, workspaceId: string): Promise<void> {
    const sent = this.#sent.get(request);
    if (sent !== undefined) await this.take(workspaceId, sent);
  }

  /** Takes a slot until `sent` resolves. Throws RATE_LIMIT_EXCEEDED if none becomes free in time. */
  async take(workspaceId: string, sent: Promise<void>): Promise<void> {
    const workspace = this.#workspaces.get(workspaceId) ?? { taken: 0, waiting: new Set() };
    this.#workspaces.set(workspaceId, workspace);
    if (workspace.taken < slotsMax) workspace.taken += 1;
    else await this.#turn(workspace, sent);
    void sent.then(() => this.#free(workspaceId, workspace));
  }

  /** Holds a slot during `work`. */
  async during<Made>(workspaceId: string, work: () => Promise<Made>): Promise<Made> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await this.take(workspaceId, promise);
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  #turn({ waiting }: Workspace, sent: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        clearTimeout(timer);
        waiting.delete(begin);
        how();
      };
      const begin = () => settle(resolve);
      const refuse = () => settle(() => reject(tooMany()));
      const timer = setTimeout(refuse, this.#patienceMs);
      waiting.add(begin);
      void sent.then(refuse);
    });
  }

  #free(workspaceId: string, workspace: Workspace): void {
    const [begin] = workspace.waiting;
    if (begin !== undefined) {
      begin();
      return;
    }
    workspace.taken -= 1;
    if (workspace.taken === 0) this.#workspaces.delete(workspaceId);
  }
}

function tooMany(): AppError {
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `At most ${slotsMax} reads of a workspace are answered at once: try again shortly`,
    {
      details: { retryAfter },
      retryAfterSeconds: retryAfter,
    },
  );
}

/** This process's. */
export function answerSlots(): AnswerSlots {
  return singleton("answer-slots", () => new AnswerSlots());
}
