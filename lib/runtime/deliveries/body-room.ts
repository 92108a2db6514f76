/** Smaller bodies are not counted: as many of them as there are claims take little memory. */
const smallBytes = 65_536;
/** The bodies in memory at once, in all and of one workspace. A larger one is sent alone. */
const bytesMax = 67_108_864;
const ofWorkspaceBytesMax = bytesMax / 4;

interface Waiting {
  readonly workspaceId: string;
  readonly bytes: number;
  readonly enter: () => void;
}

/** Bounds the memory of the bodies that are being sent. Workspaces take turns. */
export class BodyRoom {
  #bytes = 0;
  readonly #ofWorkspace = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  /** Resolves once there is room for the body, with how to leave. */
  async enter(workspaceId: string, bytes: number): Promise<() => void> {
    if (bytes <= smallBytes) return () => {};
    await new Promise<void>((resolve) => {
      this.#waiting.add({ workspaceId, bytes, enter: resolve });
      this.#admit();
    });
    return () => {
      this.#count(workspaceId, -bytes);
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.delete(next);
      this.#count(next.workspaceId, next.bytes);
      next.enter();
    }
  }

  /** Of the workspace that has the least in memory, the first; undefined if there is no room for it. */
  #next(): Waiting | undefined {
    const held = ({ workspaceId }: Waiting) => this.#ofWorkspace.get(workspaceId) ?? 0;
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) if (next === undefined || held(waiting) < held(next)) next = waiting;
    if (next === undefined) return undefined;
    const [all, own] = [this.#bytes + next.bytes, held(next) + next.bytes];
    const fits = (all <= bytesMax || this.#bytes === 0) && (own <= ofWorkspaceBytesMax || held(next) === 0);
    return fits ? next : undefined;
  }

  #count(workspaceId: string, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#ofWorkspace.get(workspaceId) ?? 0) + bytes;
    if (own === 0) this.#ofWorkspace.delete(workspaceId);
    else this.#ofWorkspace.set(workspaceId, own);
  }
}
