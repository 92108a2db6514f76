import { depthHeader, depthOf, isTriggerUrl } from "#lib/engine/flow-depth.ts";
import type { Step } from "#lib/engine/step.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import { nowMs, sleep } from "#lib/platform/clock.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { guardRequest } from "./guard-request.ts";
import { quoted } from "./node-output.ts";
import type { Run } from "./run.ts";
import { useCredential } from "./run-credentials.ts";
import type { Scope } from "./scope.ts";
import { startSubFlow } from "./start-sub-flow.ts";

/** What nodes reach the outside through. */
export interface Outside {
  readonly sandbox: Sandbox;
  readonly outbound: Outbound;
}

const loggedDataBytesMax = 65_536;

/** The world as this node of this run may see it. */
export function nodeContext(run: Run, step: Step, scope: Scope, outside: Outside): NodeContext {
  const { id } = step.node.node;
  const { signal } = run.stop;
  return {
    input: scope.input,
    inputs: () => scope.inputs(),
    leads: (handle) => step.node.outgoing.some((edge) => edge.handle === handle),
    executionId: run.id,
    stepId: step.id,
    depth: depthOf(run.trigger.headers),
    signal,
    log: (level, message, data) => run.journal.log(level, id, run.mask.message(message), loggedData(run, data)),
    retried: () => run.journal.retried(step.id),
    request: (request) => {
      const depth = depthOf(run.trigger.headers) + 1;
      const headers = isTriggerUrl(request.url)
        ? { ...request.headers, [depthHeader]: String(depth) }
        : request.headers;
      return outside.outbound.send({ ...guardRequest(run, request), headers });
    },
    startFlow: (flowId, data) => startSubFlow(run, step, flowId, data),
    credential: (name) => useCredential(run, name),
    evaluate: (code, timeoutMs) => evaluate(run, step, code, timeoutMs, scope, outside.sandbox),
    now: () => nowMs(),
    sleep: (ms) => sleep(ms, signal),
    random: () => Math.random(),
  };
}

async function evaluate(run: Run, step: Step, code: string, timeoutMs: number, scope: Scope, sandbox: Sandbox) {
  const { node } = step.node;
  const program = run.version.plan(node).code.find(({ expression }) => expression.source === code)?.expression;
  if (program === undefined) throw new NodeFailure("CODE_FAILED", "this is not the node's code", { field: "code" });
  const answer = await sandbox.run({
    scope: scope.json([program]),
    programs: [program],
    limits: { cpuMs: timeoutMs },
    owner: run.workspaceId,
    signal: run.stop.signal,
  });
  for (const { level, message } of answer.logs) {
    const masked = message.endsWith("…") ? run.mask.pieces(message) : run.mask.text(message);
    run.journal.log(level, node.id, masked, null);
  }
  const [result] = answer.results;
  if (result?.ok) return JSON.parse(result.json) as unknown;
  const { message = "the sandbox gave no answer", position = null } = result?.error ?? {};
  const line = position === null ? "" : ` (line ${code.slice(0, position).split("\n").length})`;
  throw new NodeFailure("CODE_FAILED", `code failed${line}: ${message}`, { field: "code" });
}

function loggedData(run: Run, data: unknown): string | null {
  if (data === undefined) return null;
  // Measured first: masking makes nothing longer.
  const { length } = JSON.stringify(data) ?? "null";
  if (length <= loggedDataBytesMax) return JSON.stringify(run.mask.value(data)) ?? "null";
  return JSON.stringify(`${quoted(run, data, 1_000)}… (${length} characters, cut)`);
}
