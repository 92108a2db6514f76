import type { Actor } from "#lib/auth/actor.ts";
import { exportFlow as exportFlowEndpoint, exportVersion } from "#lib/contract/flows/flow-copies.ts";
import { AppError } from "#lib/errors.ts";
import { executionText } from "#lib/executions/execution-text.ts";
import { latestIds } from "#lib/executions/search/list-executions.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { flowTextPieces, schemaPath } from "#lib/flow-text/write-flow-text.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { findFlow } from "./show-flow.ts";
import { testsToExport } from "./tests/flow-tests.ts";

const executionsMax = 100;

/** The flow as a self-contained document, without generated values. Throws NOT_FOUND. */
export async function exportFlow(
  actor: Actor,
  id: string,
  { includeVariables }: { readonly includeVariables: boolean },
) {
  const { row, definition } = await findFlow(actor, id);
  const { trigger, nodes, edges, variables } = definition;
  const tests = await testsToExport(id);
  return {
    version: exportVersion,
    exportedAt: isoNow(),
    flow: {
      name: row.name,
      description: row.description,
      ...(row.tags.length === 0 ? {} : { tags: row.tags }),
      trigger,
      nodes: [...nodes],
      edges: [...edges],
      ...(includeVariables ? { variables } : {}),
      ...(row.settings === null ? {} : { settings: JSON.parse(row.settings) }),
    },
    ...(tests.length === 0 ? {} : { tests }),
  };
}

/** The same as canonical text. */
export async function* exportAsText(exported: Exported): AsyncGenerator<string, void, undefined> {
  for (const chunk of flowTextPieces(exported as FlowDocument, { schemaUrl: `${env().publicUrl}${schemaPath}` })) {
    yield chunk;
    await yieldTurn();
  }
}

type Exported = Awaited<ReturnType<typeof exportFlow>>;

/** The same with its latest executions, as JSON text: each is read once the previous ones have been consumed. */
export async function* exportWithExecutions(
  actor: Actor,
  flowId: string,
  exported: Exported,
): AsyncGenerator<string, void, undefined> {
  const document = exportFlowEndpoint.answer.parse(exported);
  yield `${JSON.stringify(document).slice(0, -1)},"executions":[`;
  let separator = "";
  for (const id of await latestIds(actor, flowId, executionsMax)) {
    const chunks = executionText(actor, id, { includeLogs: true, includeNodeOutputs: true });
    const first = await firstOf(chunks);
    if (first === null) continue;
    yield separator + first;
    separator = ",";
    yield* chunks;
  }
  yield "]}";
}

/** Null if the execution has been deleted meanwhile. */
async function firstOf(chunks: AsyncGenerator<string, void, undefined>): Promise<string | null> {
  try {
    return (await chunks.next()).value ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** A file name for an export that every file system accepts. */
export function exportFileName(name: string, format: "json" | "yaml"): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain.slice(0, 100) || "flow"}.${format}`;
}
