import { type FlowDefinition, triggerSource } from "#lib/engine/flow.ts";
import { findGraphProblems, type Problem } from "#lib/engine/graph.ts";
import { AppError } from "#lib/errors.ts";
import { findConfigProblems, nodeTypes } from "#lib/nodes/registry.ts";

/** Throws VALIDATION_ERROR with every reason why this definition cannot be stored; checked on every write. */
export function requireSoundGraph(definition: FlowDefinition): void {
  refuse(findGraphProblems(definition.nodes, definition.edges, nodeTypes), "The flow is not sound");
}

/** Throws VALIDATION_ERROR with every reason why this flow cannot be active; half-made drafts may be stored. */
export function requireRunnable(definition: FlowDefinition): void {
  refuse([...triggerProblems(definition), ...configProblems(definition)], "The flow cannot be activated yet");
}

function configProblems(definition: FlowDefinition): Problem[] {
  return definition.nodes.flatMap((node, index) =>
    findConfigProblems(node.type, node.config).map(({ path, message }) => ({
      path: `nodes[${index}].config${path.startsWith("[") || path === "" ? path : `.${path}`}`,
      message,
      nodeId: node.id,
    })),
  );
}

function triggerProblems({ trigger }: FlowDefinition): Problem[] {
  const at = (field: string, message: string): Problem => ({
    path: `${triggerSource}.config.${field}`,
    message,
    nodeId: triggerSource,
  });
  const { authentication, credential, cron } = trigger.config;
  if (trigger.type === "schedule" && typeof cron !== "string")
    return [at("cron", "a schedule needs a cron expression")];
  const needsCredential = trigger.type === "webhook" && authentication !== undefined && authentication !== "none";
  if (needsCredential && typeof credential !== "string") {
    return [at("credential", `authentication "${String(authentication)}" needs the name of a credential`)];
  }
  return [];
}

function refuse(problems: readonly Problem[], message: string): void {
  if (problems.length === 0) return;
  const details: Record<string, string> = {};
  for (const problem of problems) details[problem.path] ??= problem.message;
  throw new AppError("VALIDATION_ERROR", message, { details });
}
