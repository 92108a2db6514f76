import type { Endpoint } from "../endpoint.ts";
import { accessExamples } from "./access.ts";
import { accountExamples } from "./accounts.ts";
import { alertExamples } from "./alerts.ts";
import { backtestExamples } from "./backtests.ts";
import type { Example, Examples } from "./example.ts";
import { executionExamples } from "./executions.ts";
import { fileExamples } from "./files.ts";
import { flowExamples } from "./flows.ts";
import { nodeTypeExamples } from "./node-types.ts";
import { serviceExamples } from "./services.ts";
import { tableExamples } from "./tables.ts";
import { templateExamples } from "./templates.ts";
import { webhookExamples } from "./webhooks.ts";

/** By operation. Separate from the contract itself, which the browser loads. */
export const allExamples: Examples = {
  ...flowExamples,
  ...backtestExamples,
  ...executionExamples,
  ...webhookExamples,
  ...accessExamples,
  ...alertExamples,
  ...serviceExamples,
  ...tableExamples,
  ...templateExamples,
  ...fileExamples,
  ...accountExamples,
  ...nodeTypeExamples,
};

/** The operation's example; a test checks that every operation has one. */
export function exampleOf({ method, path }: Pick<Endpoint, "method" | "path">): Example | undefined {
  return allExamples[`${method} ${path}`];
}
