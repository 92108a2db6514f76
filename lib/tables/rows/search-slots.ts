import { AppError } from "#lib/errors.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Each search holds a connection of the shared pool, for a few seconds at most. */
const slotsMax = { ofProcess: 4, ofWorkspace: 2 } as const;
const patienceMs = 5_000;
const waitingMax = 1_000;

interface Waiting {
  readonly workspaceId: string;
  readonly begin: () => void;
}

/** Limits concurrent searches without an index. */
export class SearchSlots {
  readonly #running: string[] = [];
  readonly #waiting = new Set<Waiting>();

  /** Searches once a slot is free, also for the workspace. Throws SERVICE_UNAVAILABLE if that takes too long. */
  async use<T>(workspaceId: string, search: () => Promise<T>): Promise<T> {
    if (!this.#hasRoom(workspaceId)) await this.#wait(workspaceId);
    this.#running.push(workspaceId);
    try {
      return await search();
    } finally {
      this.#running.splice(this.#running.indexOf(workspaceId), 1);
      const next = [...this.#waiting].find((waiting) => this.#hasRoom(waiting.workspaceId));
      next?.begin();
    }
  }

  #hasRoom(workspaceId: string): boolean {
    const own = this.#running.filter((id) => id === workspaceId).length;
    return this.#running.length < slotsMax.ofProcess && own < slotsMax.ofWorkspace;
  }

  #wait(workspaceId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => {
        this.#waiting.delete(waiting);
        reject(tooMany());
      };
      const timer = setTimeout(refuse, patienceMs);
      const begin = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve();
      };
      const waiting: Waiting = { workspaceId, begin };
      this.#waiting.add(waiting);
      if (this.#waiting.size > waitingMax) refuse();
    });
  }
}

function tooMany(): AppError {
  const message = "Too many searches without an index are in progress; try again shortly, or index the column";
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 2 });
}

/** This process's. */
export function searchSlots(): SearchSlots {
  return singleton("table-searches", () => new SearchSlots());
}
