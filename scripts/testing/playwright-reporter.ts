import type { Reporter, Suite, TestError } from "@playwright/test/reporter";
import { type Failure, writeOutcome } from "./outcome.ts";

/** Writes the outcome of a run of Playwright, for the summary. */
export default class OutcomeReporter implements Reporter {
  #suite: Suite | undefined;
  readonly #errors: Failure[] = [];

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onError({ message }: TestError): void {
    this.#errors.push({ name: "an error that no test caught", message });
  }

  onEnd(): void {
    const tests = this.#suite?.allTests() ?? [];
    const named = (outcome: "unexpected" | "flaky") =>
      tests
        .filter((test) => test.outcome() === outcome)
        .map((test) => ({
          name: test.titlePath().filter(Boolean).join(" › "),
          message: test.results.findLast(({ error }) => error !== undefined)?.error?.message,
        }));
    writeOutcome({
      passed: tests.filter((test) => test.outcome() === "expected" || test.outcome() === "flaky").length,
      failures: [...named("unexpected"), ...this.#errors],
      flaky: named("flaky"),
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}
