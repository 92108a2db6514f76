import { type FlowSettings, isStorableText } from "#lib/engine/flow.ts";
import { toolNameOf, toolNamePattern } from "#lib/engine/offers/tool-name.ts";
import { AppError } from "#lib/errors.ts";

interface NamedFlow {
  readonly name: string;
  readonly status: string;
  /** As stored. */
  readonly settings: string | null;
}

/**
 * A flow's tool name, as stored in its row; null for none. Throws VALIDATION_ERROR if it needs one and can have none.
 */
export function storedToolName({ name, status, settings }: NamedFlow): string | null {
  if (status !== "active" || settings === null) return null;
  const toolName = toolNameOf({ name, status, settings: JSON.parse(settings) as FlowSettings });
  if (toolName === null) return null;
  if (toolNamePattern.test(toolName) && isStorableText(toolName)) return toolName;
  throw refusal("is required here: the flow's own name has no letters a-z and no digits");
}

/**
 * Writes, and throws VALIDATION_ERROR if another active flow of the workspace has this tool name. The database decides:
 * of two flows activated at once, one succeeds.
 */
export async function refuseTakenTool<Row>(toolName: string | null, write: () => PromiseLike<Row>): Promise<Row> {
  try {
    return await write();
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "P2002";
    if (toolName === null || !isTaken) throw error;
    throw refusal(`another active flow is offered to assistants as "${toolName}"`);
  }
}

function refusal(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The flow cannot be offered to assistants", {
    details: { "settings.mcp.name": message },
  });
}
