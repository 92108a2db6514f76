import type { Reporter, TestModule } from "vitest/node";
import { writeOutcome } from "./outcome.ts";

/**
 * Writes the outcome of a run of Vitest, for the summary: failed tests by name, failed hooks by that of their file or
 * `describe`, and errors that no test caught.
 */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failed = tests.filter((test) => test.result().state === "failed");
    const flaky = tests.filter((test) => test.diagnostic()?.flaky === true);
    const named = (test: (typeof tests)[number]) => ({
      name: `${test.module.relativeModuleId} › ${test.fullName}`,
      message: test.result().errors?.[0]?.message,
    });
    writeOutcome({
      passed: tests.filter((test) => test.result().state === "passed").length,
      failures: [
        ...failed.map(named),
        ...modules.flatMap((module) =>
          module.errors().map(({ message }) => ({ name: `${module.relativeModuleId} as a whole`, message })),
        ),
        ...modules.flatMap((module) =>
          [...module.children.allSuites()].flatMap((suite) =>
            suite.errors().map(({ message }) => ({
              name: `${module.relativeModuleId} › ${suite.fullName} as a whole`,
              message,
            })),
          ),
        ),
        ...errors.map(({ message }) => ({ name: "an error that no test caught", message })),
      ],
      flaky: flaky.map(named),
    });
  }
}
