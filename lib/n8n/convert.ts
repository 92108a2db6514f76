import { type FlowEdge, type FlowNode, type FlowTrigger, triggerSource } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { nodeAt, type Out } from "./built.ts";
import { N8nDocumentError, type N8nNode, readWorkflow, type Workflow } from "./document.ts";
import { bySource, reachable } from "./graph.ts";
import { convertLevel, type Level, type Work } from "./level.ts";
import { isWait } from "./nodes/all.ts";
import { Parameters } from "./parameters.ts";
import { Gaps, Ids, type Report } from "./report.ts";
import { restoredItem, type Source } from "./source.ts";
import { isNote, notesOf, spaceOut, spaceOutWithin } from "./space-out.ts";
import { convertTrigger, inRank, isTrigger, type MadeTrigger } from "./triggers.ts";

/** A flow equivalent to an n8n workflow, as `POST /flows` takes it, and a report of what is left to fix. */
export interface Converted {
  readonly flow: {
    readonly name: string;
    readonly trigger: FlowTrigger;
    readonly nodes: readonly FlowNode[];
    readonly edges: readonly FlowEdge[];
    readonly variables: JsonObject;
    readonly settings: { readonly canvas: JsonObject; readonly timeoutMs?: number };
  };
  readonly report: Report;
}

/** The size of all nodes: short expressions may become long ones. */
const flowCharactersMax = 4 * 1_048_576;

interface Options {
  /** Yields between nodes, if the caller has others to serve. */
  readonly pause?: () => Promise<void> | undefined;
}

/**
 * Converts a workflow that n8n exported, or nodes copied in its editor. A node that cannot be converted becomes a
 * `stop` that describes it, and is in the report. Throws N8nDocumentError if the document is not a workflow.
 */
export async function convertN8n(document: unknown, { pause = () => undefined }: Options = {}): Promise<Converted> {
  const workflow = await readWorkflow(document, pause);
  const gaps = new Gaps();
  const ids = new Ids();
  await pause();
  const { nodes, links } = workflow;
  const [main, ...others] = inRank(nodes.filter((node) => isTrigger(node) && !workflow.parts.has(node.name)));
  const working = nodes.filter((node) => !isNote(node) && !isTrigger(node) && !workflow.parts.has(node.name));
  const begun = beginnings(workflow, main, working);
  const reachedNodes = reachable(begun, bySource(links));
  const members = working.filter(({ name }) => reachedNodes.has(name));
  const idOf = new Map(members.map(({ name }) => [name, ids.of(name)]));
  const variables: Record<string, null> = {};
  let [converted, readsTime] = [main === undefined ? 0 : 1, false];
  let characters = 0;
  const trigger = triggerOf(workflow, main, gaps);
  const work: Work = {
    nodes: new Map(members.map((node) => [node.name, node])),
    gaps,
    ids,
    idOf,
    waitId: waitIn(members, idOf),
    note: (read) => {
      if (read === "time") readsTime = true;
      else variables[read.variable] = null;
    },
    count: () => {
      converted += 1;
    },
    grow: (made) => {
      characters += JSON.stringify(made).length;
      if (characters > flowCharactersMax) throw new N8nDocumentError("", "gives a flow that is too large");
    },
    pause,
  };
  const start: Source = {
    shape: "one",
    json: trigger.json,
    isThere: "true",
    ...(trigger.moved ? { moved: trigger.moved } : {}),
  };
  const out: Out = { from: "trigger", handle: null, source: start, when: new Map() };
  const level = await convertLevel(work, {
    members: members.map(({ name }) => name),
    links,
    starts: new Map([...begun].map((name) => [name, out])),
    of: (name) => (name === main?.name ? start : unreadable(name, workflow)),
    index: "0",
    line: undefined,
  });
  reportLeftOut(workflow, { gaps, idOf, reachedNodes, main, others });
  const answers = answersOf(trigger, members, links, level, ids);
  const about = main ?? nodes[0];
  if (about !== undefined) {
    for (const reason of gapsOfWorkflow(workflow, Object.keys(variables), readsTime)) gaps.add(about, null, reason);
  }
  const edges = [...level.edges, ...answers.edges];
  const cards = spaceOutWithin([...level.nodes, ...answers.nodes]);
  const { places, toX } = spaceOut([...(main ? [main.position] : []), ...cards.map(({ position }) => position)]);
  const first = main ? 1 : 0;
  return {
    flow: {
      name: workflow.name,
      trigger: { type: trigger.type as FlowTrigger["type"], config: trigger.config },
      nodes: cards.map((node, index) => ({ ...node, position: places[index + first] ?? node.position })),
      edges: withoutNeedlessStarts(edges),
      variables,
      settings: {
        canvas: { notes: notesOf(nodes, toX), ...(main && places[0] ? { trigger: { ...places[0] } } : {}) },
        ...(workflow.timeoutMs === null ? {} : { timeoutMs: workflow.timeoutMs }),
      },
    },
    report: { converted, gaps: gaps.all },
  };
}

/** What the flow lacks as a whole. */
function gapsOfWorkflow({ timezone, hasErrorWorkflow }: Workflow, variables: readonly string[], readsTime: boolean) {
  const gaps: string[] = [];
  if (variables.length > 0) {
    const named = variables.slice(0, 50).join(", ");
    gaps.push(`Variables have no value yet: ${named}. Give them one in the flow's settings.`);
  }
  if (hasErrorWorkflow) {
    gaps.push("Failed runs started another workflow: import that one too, its trigger is `error` here.");
  }
  if (readsTime && timezone !== null && timezone !== "UTC") {
    gaps.push(`Times are read in UTC here, and were in ${timezone} in n8n.`);
  }
  return gaps;
}

/** The nodes that a run starts with. */
function beginnings({ links }: Workflow, main: N8nNode | undefined, working: readonly N8nNode[]): ReadonlySet<string> {
  const own = new Set(working.map(({ name }) => name));
  if (main !== undefined) {
    return new Set(
      links.filter(({ source, target }) => source === main.name && own.has(target)).map(({ target }) => target),
    );
  }
  const into = new Set(links.map(({ target }) => target));
  const first = working.filter(({ name }) => !into.has(name)).map(({ name }) => name);
  return new Set(first.length > 0 ? first : working.slice(0, 1).map(({ name }) => name));
}

function triggerOf({ timezone }: Workflow, main: N8nNode | undefined, gaps: Gaps): MadeTrigger {
  if (main === undefined) return { type: "manual", config: {}, json: "$trigger.body" };
  const gap = (reason: string) => gaps.add(main, triggerSource, reason);
  const nothing: Source = { shape: "one", json: "({})", isThere: "true" };
  const reading = {
    input: nothing,
    item: nothing,
    index: "0",
    waitId: null,
    before: null,
    note: () => {},
    of: () => "another node",
  };
  return convertTrigger({
    node: main,
    timezone,
    gap,
    parameters: new Parameters(main.parameters, reading, gap),
    credential: (type) => gaps.credential(main, triggerSource, type),
  });
}

function unreadable(name: string, { nodes, parts }: Workflow): string {
  const shown = `“${name.slice(0, 100)}”`;
  const node = nodes.find((candidate) => candidate.name === name);
  if (node === undefined) return `the node ${shown}, which there is not`;
  if (isTrigger(node)) return `${shown}, which does not start this flow`;
  return parts.has(name)
    ? `${shown}, which is a part of another node`
    : `${shown}, which is not before this node, or is in a loop`;
}

/** The only node whose URL resumes runs, if there is just one. */
function waitIn(members: readonly N8nNode[], idOf: ReadonlyMap<string, string>): string | null {
  const waits = members.filter((node) => isWait(node) && ["webhook", "form"].includes(String(node.parameters.resume)));
  return waits.length === 1 ? (idOf.get(waits[0]?.name ?? "") ?? null) : null;
}

interface Conversion {
  readonly gaps: Gaps;
  readonly idOf: ReadonlyMap<string, string>;
  readonly reachedNodes: ReadonlySet<string>;
  /** The trigger of the flow, and those that it does not have. */
  readonly main: N8nNode | undefined;
  readonly others: readonly N8nNode[];
}

/** Reports nodes of the document that the flow does not have. */
function reportLeftOut(
  { nodes, links, parts, oddities }: Workflow,
  { gaps, idOf, reachedNodes, main, others }: Conversion,
): void {
  for (const { node, type, reason } of oddities)
    gaps.add({ name: node, fullType: type }, idOf.get(node) ?? null, reason);
  for (const node of others) {
    const isByHand = ["manualTrigger", "start"].includes(node.type);
    const elsewhere = links.some(({ source, target }) => source === node.name && !reachedNodes.has(target));
    if (isByHand && !elsewhere) continue;
    gaps.add(
      node,
      null,
      `A flow has one trigger, and this one has “${main?.name.slice(0, 100)}”. Make another flow for this trigger.`,
    );
  }
  const triggers = new Set([main, ...others]);
  for (const node of nodes) {
    const whole = parts.get(node.name);
    if (whole !== undefined)
      gaps.add(node, idOf.get(whole) ?? null, `It is a part of “${whole.slice(0, 100)}”, and is left out.`);
    else if (!isNote(node) && !triggers.has(node) && !reachedNodes.has(node.name)) {
      gaps.add(node, null, "It is left out: the flow's trigger does not lead to it.");
    }
  }
}

/** Adds respond nodes if n8n answered with the last node's data, and here that is only part of the node's output. */
function answersOf(
  { answers }: MadeTrigger,
  members: readonly N8nNode[],
  links: Workflow["links"],
  level: Level,
  ids: Ids,
): { readonly nodes: readonly FlowNode[]; readonly edges: readonly FlowEdge[] } {
  if (answers === undefined || members.some(({ type }) => type === "respondToWebhook")) return { nodes: [], edges: [] };
  const from = bySource(links);
  const nodes: FlowNode[] = [];
  const edges: FlowEdge[] = [];
  for (const node of members) {
    const out = level.outs.get(node.name)?.[0];
    if (out?.from == null || out.handle !== null || from.has(node.name) || node.type === "stopAndError") continue;
    const { source } = out;
    const first = source.shape === "list" ? `${source.json}[0]` : restoredItem(source);
    const all = source.shape === "list" ? source.json : `[${first}]`;
    const body = answers === "none" ? "" : `{{ ${answers === "all" ? all : first} }}`;
    const id = ids.of(`${node.name} answer`);
    const made = nodeAt(node, id, { type: "respond", config: { body } }, { name: "Answer" });
    nodes.push({ ...made, position: { x: made.position.x + 240, y: made.position.y } });
    edges.push({ source: out.from, target: id });
  }
  return { nodes, edges };
}

/** Drops edges from the trigger that are implied: nodes without incoming edges start with it anyway. */
function withoutNeedlessStarts(edges: readonly FlowEdge[]): FlowEdge[] {
  const led = new Set(edges.filter(({ source }) => source !== "trigger").map(({ target }) => target));
  return edges.filter(({ source, target }) => source !== "trigger" || led.has(target));
}
