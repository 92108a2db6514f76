// A node's context for tests, which records what the node does.
import type { LogLevel, NodeBegun, NodeContext, NodeDefinition, NodeResult, ResumeContext } from "../define.ts";
import { nodeConfigSchema } from "../registry.ts";

export interface Logged {
  readonly level: LogLevel;
  readonly message: string;
  readonly data: unknown;
}

const notNeeded = () => Promise.reject(new Error("not needed here"));

/** The context of a woken node. */
export const wokenContext: ResumeContext = { now: () => 0, turn: notNeeded, input: notNeeded };

/** Runs a node that returns a result at once. */
export async function runNodeAlone(
  ...given: Parameters<typeof beginNodeAlone>
): Promise<NodeResult & { readonly logs: Logged[] }> {
  const { begun, logs } = await beginNodeAlone(...given);
  if (!("output" in begun)) throw new Error("the node has no result yet");
  return { ...begun, logs };
}

/** Starts a node over `input` with a config whose templates are already resolved. */
export async function beginNodeAlone(
  definition: NodeDefinition,
  config: object,
  input: unknown = null,
  overrides: Partial<NodeContext> = {},
): Promise<{ begun: NodeBegun; logs: Logged[] }> {
  const logs: Logged[] = [];
  const context: NodeContext = {
    input: () => input,
    inputs: () => [],
    isConnected: () => false,
    workspaceId: "ws_1",
    executionId: "exec_1",
    stepId: "node",
    place: null,
    depth: 0,
    idempotencyKey: async () => "exec_1.node",
    signal: new AbortController().signal,
    log: (level, message, data) => void logs.push({ level, message, data }),
    retried: () => {},
    request: notNeeded,
    credential: notNeeded,
    open: notNeeded,
    operation: notNeeded,
    evaluateOver: notNeeded,
    files: {} as NodeContext["files"],
    startFlow: notNeeded,
    sendMail: () => Promise.reject(new Error("not needed here")),
    generate: notNeeded,
    listTools: notNeeded,
    callTool: notNeeded,
    sql: () => Promise.reject(new Error("not needed here")),
    table: notNeeded,
    turn: notNeeded,
    areNew: notNeeded,
    evaluate: notNeeded,
    now: () => 0,
    sleep: notNeeded,
    random: () => 0.5,
    ...overrides,
  };
  const parsed = nodeConfigSchema(definition.type)?.parse(config) ?? {};
  return { begun: await definition.run(parsed, context), logs };
}

/** Erases a definition's config type, as the registry does. */
export function asNode(definition: unknown): NodeDefinition {
  return definition as NodeDefinition;
}
