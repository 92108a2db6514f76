import { Inngest, type Logger, Middleware } from "inngest";
import { z } from "zod";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** What a call says about itself beyond what Inngest's SDK passes on. */
interface Call {
  /** The number of completed steps in the function run. */
  readonly stepsDone: number;
  /** The call is for one previously planned step and may do nothing else. */
  readonly isForOneStep: boolean;
}

class CallMiddleware extends Middleware.BaseMiddleware {
  readonly id = "millrace:call";
  #isForOneStep = false;

  override wrapRequest({ requestInfo, next }: Middleware.WrapRequestArgs) {
    const stepId = requestInfo.url.searchParams.get("stepId");
    this.#isForOneStep = stepId !== null && stepId !== "step";
    return next();
  }

  override transformFunctionInput(input: Middleware.TransformFunctionInputArgs) {
    const call: Call = { stepsDone: Object.keys(input.steps).length, isForOneStep: this.#isForOneStep };
    return { ...input, ctx: { ...input.ctx, call } };
  }
}

/** Routes the SDK's messages to the server's log. */
const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (...args: unknown[]) => log("warning", args),
  error: (...args: unknown[]) => log("error", args),
};

function log(level: "warning" | "error", args: readonly unknown[]): void {
  const text = args.filter((item) => typeof item === "string").join(" ");
  const cause = args.map(causeOf).find((item) => item instanceof Error);
  logLine(level, `Inngest: ${text}`, cause === undefined ? {} : errorFields(cause));
}

function causeOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "err" in item ? item.err : item;
}

/** This process's Inngest client. It reads Inngest's environment variables itself. */
export function inngest() {
  return singleton("inngest", makeClient);
}

function makeClient() {
  return new Inngest({ id: "millrace", middleware: [CallMiddleware], logger });
}

export type Client = ReturnType<typeof makeClient>;

// Events to Inngest. They are only signals: whoever receives one reads the database.

/** A run is pending or orphaned. */
export const executionRequested = "millrace/execution.requested";
/** A run was cancelled. */
export const executionCancelled = "millrace/execution.cancelled";
/** A step of a waiting run was woken. */
export const executionWoken = "millrace/execution.woken";
/** Deliveries to subscribers are due. */
export const deliveriesDue = "millrace/deliveries.due";

/** There are backtests to run. */
export const backtestsDue = "millrace/backtests.due";

/** `workspaceId` and `flowId` are for Inngest's concurrency keys. */
export const executionData = z.object({
  executionId: z.string(),
  workspaceId: z.string(),
  flowId: z.string(),
});
export type ExecutionData = z.infer<typeof executionData>;

/** Matches events about the run of the waiting function, in Inngest's expression language. */
export const sameExecution = "async.data.executionId == event.data.executionId";

/**
 * A duration that Inngest accepts: at least a second. Steps sleep for a duration, not until a time, because Inngest's
 * clock may differ from ours.
 */
export function sleepMs(ms: number): number {
  return Math.max(1_000, ms);
}
