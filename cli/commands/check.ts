import { triggerSource } from "#lib/engine/flow.ts";
import { findGraphProblems, type Problem } from "#lib/engine/graph.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { adviceOnFlow } from "#lib/flows/advice/advice.ts";
import { adviceOn } from "#lib/flows/advice/node-advice.ts";
import { credentialsNamed, flowsStarted, tablesNamed } from "#lib/flows/advice/references.ts";
import { configProblems, settingsProblems, triggerProblems } from "#lib/flows/checks/definition-problems.ts";
import { placeNodes } from "#lib/flows/checks/place-nodes.ts";
import { hasTooManyExpressions } from "#lib/flows/plan-nodes.ts";
import { pollConfigProblems } from "#lib/flows/polls/poll-trigger.ts";
import { nodeTypes, planNodeConfig } from "#lib/nodes/registry.ts";
import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { readNamed } from "../folder/folder.ts";
import type { Paint } from "../terminal.ts";

interface PlacedFinding extends Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const severityColors: Record<Finding["severity"], Paint> = { error: "red", warning: "yellow", info: "blue" };

/** Checks flow files. Problems are differences; advice is one only with `--strict`. */
export const check: Command<[readonly string[]], { readonly strict?: boolean }> = async (
  { terminal },
  { strict = false },
  paths,
) => {
  const flows = readNamed(paths.length === 0 ? ["."] : paths);
  const findings: PlacedFinding[] = [];
  for (const { file, document, problems, placeOf } of flows) {
    terminal.progress(`Checking ${file}`);
    if (document === null) {
      findings.push(...problems.map((problem) => ({ file, severity: "error" as const, code: null, ...problem })));
      continue;
    }
    for (const finding of await checkDocument(document)) findings.push({ file, ...finding, ...placeOf(finding.path) });
  }
  const errors = findings.filter(({ severity, code }) => severity === "error" && code === null).length;
  const advice = findings.length - errors;
  for (const { file, line, column, severity, code, path, message } of findings) {
    const kind = terminal.paint(severityColors[severity], severity);
    const where = path === "" ? "" : `${path}: `;
    terminal.print(`${file}:${line}:${column}: ${kind}: ${where}${message}${code === null ? "" : ` [${code}]`}`);
  }
  terminal.print(
    `${flows.length} ${flows.length === 1 ? "flow" : "flows"}, ${errors} problems, ${advice} pieces of advice`,
  );
  terminal.printJson({ flows: flows.length, problems: errors, advice, findings });
  return errors > 0 || (strict && advice > 0) ? exitCodes.differs : exitCodes.ok;
};

// Checks of a flow that need no server: its graph, configs and trigger, and advice on how it is built.

interface Finding {
  readonly severity: "error" | "warning" | "info";
  /** The advice's severity; null for a problem that keeps the flow from running. */
  readonly code: string | null;
  /** `nodes[2].config.url`. */
  readonly path: string;
  readonly message: string;
}

/** How long a caller of the trigger URL waits with the server's default settings. */
const callerWaitsMs = 60_000;

/** Why the flow cannot run, and probable mistakes. Assumes that credentials and other flows exist. */
async function checkDocument({ flow }: FlowDocument): Promise<Finding[]> {
  const body = { nodes: flow.nodes, edges: flow.edges };
  const unsound = findGraphProblems(flow.nodes, flow.edges, nodeTypes);
  const planned = placeNodes(body).map((placed) => ({
    ...placed,
    plan: planNodeConfig(placed.node.type, placed.node.config),
  }));
  const settings = flow.settings === undefined ? null : JSON.stringify(flow.settings);
  const problems: Problem[] = [
    ...unsound,
    ...triggerProblems(flow.trigger),
    ...pollConfigProblems(flow.trigger).map(({ field, message }) => ({
      path: `${triggerSource}.config.${field}`,
      message,
    })),
    ...configProblems(planned),
    ...settingsProblems(settings),
  ];
  const found: Finding[] = problems.map(({ path, message }) => ({ severity: "error", code: null, path, message }));
  if (hasTooManyExpressions(planned)) return found;
  const there = (id: string) => [id, { name: id, status: "active", runs: [] }] as const;
  const references = {
    credentials: new Set(planned.flatMap(credentialsNamed)),
    tables: new Set(planned.flatMap(tablesNamed)),
    flows: new Map(planned.flatMap(({ node }) => flowsStarted(node)).map(there)),
    missing: new Set<string>(),
  };
  const advice = [
    ...adviceOn(planned),
    // An invalid graph has no paths to check.
    ...(unsound.length > 0
      ? []
      : await adviceOnFlow({ ...body, trigger: flow.trigger }, planned, { references, ownId: null, callerWaitsMs })),
  ];
  return [...found, ...advice.map(({ severity, code, path, message }) => ({ severity, code, path, message }))];
}
