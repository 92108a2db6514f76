import { durationInWords } from "#lib/duration.ts";
import { OutboundError } from "./outbound-error.ts";

/** A longer timeout might overflow the timer, which then fires at once. */
const timeoutMsMax = 300_000;

/** Ends a whole exchange when its time is up or its caller aborts it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The result of the work, or the deadline's error as soon as it passes. */
  race<T>(work: Promise<T>): Promise<T>;
  clear(): void;
}

export function startDeadline(timeoutMs: number, cancel: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const bounded = Math.min(Math.max(1, timeoutMs), timeoutMsMax);
  const onTimeout = () => {
    controller.abort(new OutboundError("TIMEOUT", `There was no complete answer within ${durationInWords(bounded)}`));
  };
  const onCancel = () => controller.abort(new OutboundError("ABORTED", "The request was cancelled"));
  const timer = setTimeout(onTimeout, bounded);
  if (cancel.aborted) onCancel();
  else cancel.addEventListener("abort", onCancel, { once: true });

  return {
    signal,
    race: (work) => raceSignal(work, signal),
    clear() {
      clearTimeout(timer);
      cancel.removeEventListener("abort", onCancel);
    },
  };
}

/** Does the work under a deadline that ends with it. */
export async function withDeadline<Result>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const deadline = startDeadline(timeoutMs, signal);
  try {
    return await work(deadline);
  } finally {
    deadline.clear();
  }
}

/** The same deadline, which `signal` also ends, with its reason. */
export function endedBySignal(deadline: Deadline, signal: AbortSignal): Deadline {
  const either = AbortSignal.any([deadline.signal, signal]);
  return { signal: either, race: (work) => raceSignal(work, either), clear: () => deadline.clear() };
}

/** undici checks a queued request's signal only once it has a connection, which may be long after the deadline. */
function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
