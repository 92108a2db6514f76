// A small Inngest: takes events, knows an app's functions, and replays their runs call by call over the SDK's own
// protocol. Its state is in memory and survives stopping and starting it.
import { createHash, createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { holds } from "./expression.ts";
import { type CallAnswer, type Executor, FunctionRun } from "./function-run.ts";
import {
  canonicalJson,
  checkpoint,
  type FunctionConfig,
  type InngestEvent,
  operation,
  registration,
} from "./protocol.ts";

interface Options {
  /** Signs calls, as Inngest's cloud does; without it this is a development server. */
  readonly signingKey?: string;
  readonly retryMs?: number;
}

const requestMsMax = 120_000;

export class InngestServer implements Executor {
  readonly runs: FunctionRun[] = [];
  readonly events: InngestEvent[] = [];
  /** Functions by id, as the app last registered them. */
  readonly functions = new Map<string, FunctionConfig>();
  appUrl: string | undefined;
  /** Every call is made twice at once: the first answer counts. */
  callsTwice = false;
  /** Answers that plan several steps are processed again once those have ended, as when a discovery call is late. */
  answersLate = false;
  /** Events are refused. */
  refusesEvents = false;
  #eventsHeld: Promise<void> | undefined;
  readonly #options: Options;
  readonly #seen = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #held: (() => void)[] = [];
  #server: Server | undefined;
  #port = 0;
  #stopping = new AbortController();

  constructor(options: Options = {}) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController();
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    for (const work of this.#held.splice(0)) work();
  }

  /** Crashes: answers nothing, cuts calls in flight, and keeps the rest for the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const closed = this.#server === undefined ? undefined : once(this.#server, "close");
    this.#server?.close();
    this.#server?.closeAllConnections();
    await closed;
    this.#server = undefined;
  }

  /** Stops for good. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const run of this.runs) run.end("cancelled");
    if (this.#server !== undefined) await this.stop();
  }

  /** Answers no event until the returned function is called. */
  holdEvents(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#eventsHeld = promise;
    return () => {
      this.#eventsHeld = undefined;
      resolve();
    };
  }

  /** Runs a function as its cron trigger would. */
  tick(id: string): FunctionRun {
    const config = this.functions.get(`millrace-${id}`);
    if (config === undefined) throw new Error(`the app has no function "${id}"`);
    return this.#startRun(config, { id: randomUUID(), name: "inngest/scheduled.timer", data: {}, ts: Date.now() });
  }

  send(event: InngestEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    this.events.push(event);
    for (const run of this.runs.filter(({ status }) => status === "running")) this.#notify(run, event);
    for (const config of this.functions.values()) {
      const isMeant = config.triggers.some(
        (trigger) => trigger.event === event.name && holds(trigger.expression, { event }),
      );
      if (isMeant) this.#startRun(config, event);
    }
  }

  runsOf(executionId: string): FunctionRun[] {
    return this.runs.filter(({ event }) => event.data.executionId === executionId);
  }

  async call(run: FunctionRun, stepId: string, attempt: number, callId: string): Promise<CallAnswer> {
    if (this.#server === undefined) await new Promise<void>((resolve) => this.#held.push(resolve));
    const once = () => this.#post(run, stepId, attempt, callId);
    if (!this.callsTwice) return await once();
    const [first, second] = await Promise.allSettled([once(), once()]);
    const answered = first.status === "fulfilled" ? first : second;
    if (answered.status === "rejected") throw answered.reason;
    return answered.value;
  }

  later(ms: number, work: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        if (this.#server === undefined) this.#held.push(work);
        else work();
      },
      Math.min(Math.max(0, ms), 2 ** 31 - 1),
    );
    this.#timers.add(timer);
  }

  retryMs(attempt: number): number {
    return (this.#options.retryMs ?? 200) * (attempt + 1);
  }

  onFailed(run: FunctionRun, error: unknown): void {
    const data = {
      function_id: run.config.id,
      run_id: run.id,
      error: { name: "Error", message: String(error) },
      event: run.event,
    };
    this.send({ id: randomUUID(), name: "inngest/function.failed", data, ts: Date.now() });
  }

  #startRun(config: FunctionConfig, event: InngestEvent): FunctionRun {
    const run = new FunctionRun(`run-${randomUUID()}`, config, event, this);
    this.runs.push(run);
    run.begin();
    return run;
  }

  #notify(run: FunctionRun, event: InngestEvent): void {
    const scope = { event: run.event, async: event };
    if (run.config.cancel?.some((on) => on.event === event.name && holds(on.if, scope))) run.end("cancelled");
    for (const wait of run.waits) {
      if (wait.event === event.name && holds(wait.if, scope)) run.wake(wait.stepId, event);
    }
  }

  async #post(run: FunctionRun, stepId: string, attempt: number, callId: string): Promise<CallAnswer> {
    const url = new URL(run.config.steps.step.runtime.url);
    url.searchParams.set("stepId", stepId);
    const body = canonicalJson(this.#bodyOf(run, stepId, attempt, callId));
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-inngest-server-kind": this.#kind, ...this.#signature(body) },
      body,
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(requestMsMax)]),
    });
    const text = await response.text();
    const read: unknown = text === "" ? null : JSON.parse(text);
    const operations = response.status === 206 ? [read].flat().map((item) => operation.parse(item)) : [];
    return {
      status: response.status,
      noRetry: response.headers.get("x-inngest-no-retry") === "true",
      body: read,
      operations,
    };
  }

  #bodyOf(run: FunctionRun, stepId: string, attempt: number, callId: string) {
    const stack = run.stack;
    return {
      version: -1,
      event: run.event,
      events: [run.event],
      steps: Object.fromEntries(run.steps),
      ctx: {
        run_id: run.id,
        fn_id: createHash("sha256").update(run.config.id).digest("hex").slice(0, 32),
        step_id: stepId,
        attempt,
        max_attempts: (run.config.steps.step.retries?.attempts ?? 3) + 1,
        qi_id: callId,
        disable_immediate_execution: run.forcesPlan,
        use_api: false,
        stack: { stack, current: stack.length },
      },
    };
  }

  get #kind(): string {
    return this.#options.signingKey === undefined ? "dev" : "cloud";
  }

  #signature(body: string): Record<string, string> {
    const { signingKey } = this.#options;
    if (signingKey === undefined) return {};
    const time = `${Math.floor(Date.now() / 1000)}`;
    const key = signingKey.replace(/^signkey-\w+-/, "");
    const signed = createHmac("sha256", key).update(`${body}${time}`).digest("hex");
    return { "x-inngest-signature": `t=${time}&s=${signed}` };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    if (request.url?.startsWith("/e/")) await this.#eventsHeld;
    const [status, answer] = this.#route(request.url ?? "", body);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  #route(url: string, body: string): [number, unknown] {
    if (url.startsWith("/fn/register")) return this.#register(body);
    if (url.startsWith("/e/")) return this.#receive(body);
    const [, runId] = /^\/v1\/checkpoint\/([^/]+)\/async$/.exec(url) ?? [];
    return runId === undefined ? [404, { error: "not found" }] : this.#checkpoint(runId, body);
  }

  #register(body: string): [number, unknown] {
    const read = registration.parse(JSON.parse(body));
    this.appUrl = read.url;
    for (const config of read.functions) this.functions.set(config.id, config);
    return [200, { ok: true, modified: true }];
  }

  #receive(body: string): [number, unknown] {
    if (this.refusesEvents) return [503, { error: "unavailable", status: 503 }];
    const events = [JSON.parse(body)].flat().map((event) => ({ ...event, id: event.id ?? randomUUID() }));
    // Responds first, like a queue: an event's sender does not wait for its effects.
    for (const event of events) setImmediate(() => this.send(event));
    return [200, { ids: events.map(({ id }) => id), status: 200 }];
  }

  /** What a function did in a call still in progress; refused if that call no longer counts. */
  #checkpoint(runId: string, body: string): [number, unknown] {
    const run = this.runs.find(({ id }) => id === runId);
    const { qi_id: callId, steps } = checkpoint.parse(JSON.parse(body));
    if (run === undefined || run.status !== "running" || !run.activeCalls.has(callId)) return [409, { error: "stale" }];
    for (const op of steps) run.store(op);
    return [200, {}];
  }
}
