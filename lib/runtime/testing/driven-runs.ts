// Runs driven in a test's process, as the embedded runtime drives them.

import { runSignals } from "#lib/executions/live/run-signals.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartedFlow, type StartRequest, triggerText } from "#lib/executions/store/new-execution.ts";
import { waitingRuns } from "#lib/executions/store/runs-in-process.ts";
import type { OutboundAnswer } from "#lib/nodes/http-request/outbound-request.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";

/** Starts runs, and drives them and every run they start. `send` answers every request. Must be closed. */
export class DrivenRuns {
  readonly #sandbox: ReturnType<typeof createSandbox>;
  readonly #running = new Map<string, Promise<unknown>>();
  // The worker's heartbeat: it finds a run that was woken before it recorded its wait.
  readonly #heartbeat = setInterval(() => {
    for (const run of waitingRuns().values()) run.check().catch(() => {});
  }, 200);

  constructor({ children, send }: { children: number; send(request: { url: string }): Promise<OutboundAnswer> }) {
    this.#sandbox = createSandbox({ children });
    singleton("outside", () => ({ sandbox: this.#sandbox, outbound: { send } as unknown as Outside["outbound"] }));
    const signals = runSignals();
    signals.sandbox = () => this.#sandbox;
    signals.start = (flow, request) => this.start(flow, request);
    signals.woken = async (id) => await waitingRuns().get(id)?.check();
  }

  /** Stores a run and starts to drive it. */
  async start(flow: StartedFlow, request: Omit<StartRequest, "leaseOwner" | "limit">): Promise<string> {
    const execution = newExecution(flow, { ...request, leaseOwner: null });
    await insertExecution(execution);
    for (const { run, recorded } of await claimRuns(100)) {
      this.#running.set(run.id, driveRun(run, recorded, Number.MAX_SAFE_INTEGER));
    }
    return execution.id;
  }

  /** Runs a flow with `body` to its end. */
  async run(flow: StartedFlow, body: unknown): Promise<string> {
    const trigger = await triggerText({ body, headers: {}, query: {}, method: "POST" });
    const id = await this.start(flow, { triggerType: "manual", trigger, source: "api", ip: null, userAgent: null });
    await this.#running.get(id);
    return id;
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#sandbox.close();
  }
}
