// Advice on outside effects: failures, retries, idempotency keys, and who may start the flow.
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { effectOf, nodeDefinition } from "#lib/nodes/registry.ts";
import { type AdvisedFlow, adviceOf } from "./advised-flow.ts";

const isCall = ({ node }: PlannedNode) => nodeDefinition(node.type)?.effect === "outside" && effectOf(node) !== "none";
const isWrite = ({ node }: PlannedNode) => effectOf(node) === "write";

function retriesOf({ node }: PlannedNode): unknown {
  const { retry } = node.config;
  return isJsonObject(retry) ? (retry.maxRetries ?? 0) : 0;
}

/** A call whose failure prevents the flow's answer. */
export function unhandledFailures(flow: AdvisedFlow): FlowAdvice[] {
  const before = flow.beforeAnswer();
  return flow.own.flatMap((planned) => {
    if (!isCall(planned) || !before.has(planned.node.id) || flow.catches(planned.node)) return [];
    const message = 'may fail, and the caller then gets no response from the flow: add an edge from "error"';
    return [adviceOf(planned, "UNHANDLED_FAILURE", "info", message)];
  });
}

/** A read without retries, if no caller waits who could retry. */
export function missingRetries(flow: AdvisedFlow): FlowAdvice[] {
  const before = flow.beforeAnswer();
  return flow.planned.flatMap((planned) => {
    const { node, loops } = planned;
    const isRead = nodeDefinition(node.type)?.showsRetries === true && effectOf(node) === "read";
    if (!isRead || retriesOf(planned) !== 0 || before.has(loops[0] ?? node.id) || flow.catches(node)) return [];
    const retry = { ...(isJsonObject(node.config.retry) ? node.config.retry : {}), maxRetries: 2 };
    const fix = flow.withConfig(planned, "Try again twice", { ...node.config, retry });
    return [adviceOf(planned, "NO_RETRY", "info", "reads from outside and is not retried", { field: "retry", fix })];
  });
}

const keyHeader = "idempotency-key";
/** Expressions whose value changes each time. */
const changing = /\bDate\.now\b|\bnew Date(?:\(\s*\)|(?!\s*\())|\bMath\.random\b/;

/** Whether an expression in a template changes each time. Split first: a pattern for all of it takes quadratic time. */
function isChanging(template: string): boolean {
  const [, ...parts] = template.split("{{");
  return parts.some((part) => changing.test(part.split("}}", 1)[0] ?? ""));
}

/** The flow's own idempotency key, if it does not identify the request. */
export function retriesWithoutKey(flow: AdvisedFlow): FlowAdvice[] {
  return flow.planned.flatMap((planned) => {
    const { headers } = planned.node.config;
    if (!isWrite(planned) || !isJsonObject(headers) || retriesOf(planned) === 0) return [];
    const name = Object.keys(headers).find((known) => known.toLowerCase() === keyHeader);
    const value = name === undefined ? null : headers[name];
    if (name === undefined || value === null) return [];
    const isConstant = !String(value).includes("{{");
    if (!isConstant && !isChanging(String(value))) return [];
    const { [name]: _, ...others } = headers;
    const fix = flow.withConfig(planned, "Send Millrace's own key", { ...planned.node.config, headers: others });
    const reason = isConstant ? "is the same for every request" : "changes after a restart";
    const message = `${reason}: the receiver cannot detect a repeat`;
    return [adviceOf(planned, "RETRY_WITHOUT_IDEMPOTENCY", "warning", message, { field: `headers.${name}`, fix })];
  });
}

/** Anybody who knows the URL can change something outside. */
export function openTrigger(flow: AdvisedFlow): FlowAdvice[] {
  const { type, config } = flow.flow.trigger;
  const isOpen = type === "webhook" && (config.authentication === undefined || config.authentication === "none");
  const write = isOpen ? flow.planned.find(isWrite) : undefined;
  if (write === undefined) return [];
  const trigger = { node: { ...write.node, id: triggerSource }, path: `${triggerSource}.config` };
  const message = `lets anyone who knows the URL run "${write.node.id}", which has side effects`;
  return [adviceOf(trigger, "OPEN_TRIGGER", "info", message, { field: "authentication" })];
}

/** A loop over a caller's list that writes for each item, without its own limit. */
export function unboundedLoops(flow: AdvisedFlow): FlowAdvice[] {
  return flow.planned.flatMap((planned) => {
    const { node, plan } = planned;
    if (nodeDefinition(node.type)?.hasBody !== true || node.config.maxItems !== undefined) return [];
    const items = plan.expressions.find(({ slot }) => slot.path === "items")?.expression;
    const isGiven = items?.path?.root === "$trigger";
    const writes = flow.planned.some((inner) => inner.loops.includes(node.id) && isWrite(inner));
    if (!isGiven || !(writes || node.config.flowId != null)) return [];
    const fix = flow.withConfig(planned, "At most 100 items", { ...node.config, maxItems: 100 });
    const message = "writes for every item of a list from the caller, up to 1,000 of them";
    return [adviceOf(planned, "UNBOUNDED_LOOP", "info", message, { field: "maxItems", fix })];
  });
}
