import type { SandboxAnswer, SandboxLimits, SandboxProgram, TaskMessage } from "./child/protocol.ts";
import { QueuedTask } from "./fair-queue.ts";
import { Lane } from "./lane.ts";
import { SpareChild } from "./spare-child.ts";

const sourcesMax = 1000;

/** Sources that had to be killed once: they get a separate child, where they delay only each other. */
class Quarantine {
  readonly #sources = new Set<string>();

  get size(): number {
    return this.#sources.size;
  }

  admit(source: string): void {
    // The oldest is dropped first; one that kills again is back at once.
    this.#sources.delete(source);
    this.#sources.add(source);
    for (const oldest of this.#sources) {
      if (this.#sources.size <= sourcesMax) return;
      this.#sources.delete(oldest);
    }
  }

  holds(message: TaskMessage): boolean {
    return this.#sources.size > 0 && message.programs.some(({ source }) => this.#sources.has(source));
  }
}

export type {
  SandboxAnswer,
  SandboxError,
  SandboxLimits,
  SandboxLog,
  SandboxProgram,
  SandboxResult,
} from "./child/protocol.ts";

export interface SandboxTask {
  /** Name (`$trigger`, `$item`, …; an identifier) -> value as JSON text. */
  readonly scope: Readonly<Record<string, string>>;
  /** Evaluated in order over the same scope; each sees what the previous one changed there. */
  readonly programs: readonly SandboxProgram[];
  readonly limits?: Partial<SandboxLimits>;
  /** The task's workspace id: owners take turns, and none holds all children. */
  readonly owner?: string;
  /** Aborts the task; a child working on it is killed. */
  readonly signal?: AbortSignal;
}

export interface SandboxOptions {
  /**
   * Child processes for ordinary tasks; with two or more, the last is reserved for owners that hold none of the others.
   */
  readonly children?: number;
  /** One child for all tasks and none in reserve, if memory matters more than latency. */
  readonly isSmall?: boolean;
  /** The folder of the child as a self-contained bundle; by default, it runs from the project's sources. */
  readonly childFolder?: string | undefined;
  readonly limits?: Partial<SandboxLimits>;
  /** Wall time beyond the CPU limit after which an unresponsive child is killed. */
  readonly hardKillMs?: number;
  readonly recycleAfterTasks?: number;
}

interface SandboxStats {
  readonly queued: number;
  readonly tasks: number;
  readonly batches: number;
  readonly killed: number;
  readonly crashed: number;
  readonly recycled: number;
  readonly quarantined: number;
  /** Process ids of working and idle children, without the spare. */
  readonly children: readonly number[];
  /** Those of them that are working. */
  readonly running: readonly number[];
  readonly spareIsReady: boolean;
}

export interface Sandbox {
  /** The limits of a task that does not set lower ones. */
  readonly limits: SandboxLimits;
  /**
   * Rejects for an aborted signal, a closed sandbox, or children that do not start. Whatever the code does is an
   * answer.
   */
  run(task: SandboxTask): Promise<SandboxAnswer>;
  /** Starts the children ahead of the first task. */
  warm(): void;
  close(): Promise<void>;
  stats(): SandboxStats;
}

export const defaultLimits: SandboxLimits = {
  cpuMs: 250,
  memoryBytes: 32 * 1024 * 1024,
  resultBytes: 1024 * 1024,
};

/** Tasks that may compute for longer than this have separate children and are sent one at a time. */
const quickCpuMsMax = 1000;

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = { ...defaultLimits, ...options.limits };
  const spare = new SpareChild(limits.memoryBytes, { isKept: !options.isSmall, folder: options.childFolder });
  const quarantine = new Quarantine();
  const common = {
    spare,
    hardKillMs: options.hardKillMs ?? 750,
    recycleAfterTasks: options.recycleAfterTasks ?? 50_000,
    onKilled: (source: string) => quarantine.admit(source),
  };
  const children = options.children ?? 3;
  const only = options.isSmall ? new Lane({ ...common, children: 1, batchTasksMax: 1 }) : undefined;
  const lanes = {
    quick: only ?? new Lane({ ...common, children }),
    patient: only ?? new Lane({ ...common, children, batchTasksMax: 1 }),
    quarantine: only ?? new Lane({ ...common, children: 1, batchTasksMax: 1 }),
  };
  const allLanes = [...new Set(Object.values(lanes))];
  let closed: Error | undefined;

  const laneOf = (message: TaskMessage): Lane => {
    if (quarantine.holds(message)) return lanes.quarantine;
    return message.limits.cpuMs > quickCpuMsMax ? lanes.patient : lanes.quick;
  };

  return {
    limits,
    run(task) {
      return new Promise((resolve, reject) => {
        if (closed !== undefined) return reject(closed);
        if (task.signal?.aborted) return reject(task.signal.reason);
        const message = messageOf(task, limits);
        const queued = new QueuedTask({ message, owner: task.owner ?? "" }, resolve, reject);
        if (queued.chars > message.limits.memoryBytes) return queued.fail("MemoryLimitError", "its data is too large");
        const lane = laneOf(message);
        if (task.signal !== undefined) cancelOnAbort(task.signal, queued, lane);
        lane.add(queued);
      });
    },
    warm: () => lanes.quick.warm(),
    async close() {
      closed ??= new Error("the sandbox is closed");
      const reason = closed;
      await Promise.all([spare.close(), ...allLanes.map((lane) => lane.close(reason))]);
    },
    stats() {
      const all = allLanes;
      const total = (count: keyof Lane["counts"]) => all.reduce((sum, lane) => sum + lane.counts[count], 0);
      return {
        queued: all.reduce((sum, lane) => sum + lane.queued, 0),
        tasks: total("tasks"),
        batches: total("batches"),
        killed: total("killed"),
        crashed: total("crashed"),
        recycled: total("recycled"),
        quarantined: quarantine.size,
        children: all.flatMap((lane) => lane.children).flatMap((child) => child.pid ?? []),
        running: all.flatMap((lane) => lane.running).flatMap((child) => child.pid ?? []),
        spareIsReady: spare.spareIsReady,
      };
    },
  };
}

function messageOf(task: SandboxTask, ours: SandboxLimits): TaskMessage {
  const limits = { ...ours, ...task.limits };
  // The children were started with the sandbox's limits, which a task can only lower.
  limits.memoryBytes = Math.min(limits.memoryBytes, ours.memoryBytes);
  const programs = task.programs.map(({ source, kind }) => ({ source, kind }));
  return { names: Object.keys(task.scope), texts: Object.values(task.scope), programs, limits };
}

function cancelOnAbort(signal: AbortSignal, queued: QueuedTask, lane: Lane): void {
  const cancel = () => {
    queued.cancel(signal.reason);
    lane.abandon(queued);
  };
  signal.addEventListener("abort", cancel, { once: true });
  queued.onSettled = () => signal.removeEventListener("abort", cancel);
}
