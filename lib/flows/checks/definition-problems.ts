// Why a flow could not be active, by its definition alone: nothing in its workspace is read.
import { type FlowTrigger, flowLimits, isCalledTrigger, triggerSource } from "#lib/engine/flow.ts";
import type { Problem } from "#lib/engine/graph.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath } from "#lib/engine/json.ts";
import { triggerForm } from "#lib/engine/wait-form.ts";
import { concurrencyOf, planConcurrencyKey } from "#lib/executions/nodes/run-limit.ts";
import { hasTooManyExpressions, type PlannedNode } from "#lib/flows/plan-nodes.ts";
import { scheduleProblems } from "#lib/flows/schedule.ts";
import { findConfigProblems } from "#lib/nodes/registry.ts";

/** Problems in the nodes' configs. */
export function configProblems(planned: readonly PlannedNode[]): Problem[] {
  // The other configs have not been read.
  if (hasTooManyExpressions(planned)) {
    return [{ path: "nodes", message: `a flow has at most ${flowLimits.expressionsMax} expressions: it has more` }];
  }
  const enabled = planned.filter(({ isDisabled }) => !isDisabled);
  return enabled.flatMap(({ node, path: config, plan }) =>
    findConfigProblems(node.type, node.config, plan).map(({ path, message }) => ({
      path: `${config}${path.startsWith("[") || path === "" ? path : `.${path}`}`,
      message,
      nodeId: node.id,
    })),
  );
}

/** Problems in a flow's settings, given as JSON text. */
export function settingsProblems(settings: string | null): Problem[] {
  const key = concurrencyOf(settings)?.key.trim() ?? "";
  const problems = key === "" ? [] : planConcurrencyKey(key).problems;
  return problems.map(({ message, position }) => ({
    path: "settings.concurrency.key",
    message: `${message} (at ${position})`,
    nodeId: triggerSource,
  }));
}

/** Problems in a trigger by itself. */
export function triggerProblems(trigger: FlowTrigger): Problem[] {
  const { authentication, credential } = trigger.config;
  if (trigger.type === "schedule") {
    return scheduleProblems(trigger.config).map(({ field, message }) => triggerProblem(field, message));
  }
  const problems = trigger.type === "form" ? formProblems(trigger.config) : [];
  if (!isAuthenticated(trigger) || typeof credential === "string") return problems;
  const message = `authentication "${String(authentication)}" needs the name of a credential`;
  return [...problems, triggerProblem("credential", message)];
}

function formProblems(config: FlowTrigger["config"]): Problem[] {
  const issues = triggerForm.safeParse(config).error?.issues ?? [];
  return issues.map((issue) => triggerProblem(formatPath(issue.path), issueMessage(issue)));
}

export function isAuthenticated({ type, config: { authentication } }: FlowTrigger): boolean {
  return isCalledTrigger(type) && authentication !== undefined && authentication !== "none";
}

export function triggerProblem(field: string, message: string): Problem {
  return { path: `${triggerSource}.config.${field}`, message, nodeId: triggerSource };
}
