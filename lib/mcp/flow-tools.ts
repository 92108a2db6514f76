import { z } from "zod";
import { checkFlow } from "#lib/contract/flows/checks.ts";
import {
  flowDescription,
  flowEdges,
  flowName,
  flowNodes,
  flowStatuses,
  flowTags,
  flowTrigger,
  flowVariables,
} from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { notFound } from "#lib/errors.ts";
import type { Port } from "./port.ts";
import { type BuilderTool, builderTool, readAnswer, textResult } from "./tool.ts";

export const flowId = z.string("flowId must be text").describe("The flow's id");
export const pageOf = {
  page: z.int("page must be a whole number").min(1).max(1_000_000).optional().default(1),
  limit: z.int("limit must be a whole number").min(1).max(100).optional().default(20),
};

const listNodeTypes = builderTool({
  name: "millrace_list_node_types",
  title: "List node types",
  description: "All types of nodes in brief. Read a type before you use it: millrace_read_node_type.",
  isReading: true,
  uses: ["listNodeTypes"],
  input: z.object({}),
  perform: async (_, port) => {
    const types = (await nodeTypesOf(port)).map(({ type, name, family, description, effect, handles }) => {
      return { type, name, family, description, effect, handles };
    });
    return textResult({ text: JSON.stringify(types) }, "");
  },
});

const readNodeType = builderTool({
  name: "millrace_read_node_type",
  title: "Read a node type",
  description: "One node type: the JSON Schema of its config, an example, and its output handles.",
  isReading: true,
  uses: ["listNodeTypes"],
  input: z.object({ type: z.string("type must be text").describe("Such as `if-else`") }),
  perform: async ({ type }, port) => {
    const found = (await nodeTypesOf(port)).find((known) => known.type === type);
    if (found === undefined) throw notFound("Node type");
    const { icon: _, iconPath: __, summary: ___, ...answered } = found;
    return textResult({ text: JSON.stringify(answered) }, "");
  },
});

async function nodeTypesOf(port: Port): Promise<JsonObject[]> {
  return (await readAnswer(port, "listNodeTypes", {})) as unknown as JsonObject[];
}

const listFlows = builderTool({
  name: "millrace_list_flows",
  title: "List flows",
  description: "The workspace's flows in brief, most recently changed first.",
  isReading: true,
  uses: ["listFlows"],
  input: z.object({
    search: z.string("search must be text").optional().describe("Words of the name or the description"),
    status: z.enum(flowStatuses).optional(),
    ...pageOf,
  }),
  perform: async ({ search, status, page, limit }, port) => {
    const query = {
      page: String(page),
      limit: String(limit),
      sortBy: "updatedAt",
      ...(search === undefined ? {} : { search }),
      ...(status === undefined ? {} : { status }),
    };
    const { items, pagination } = await readAnswer(port, "listFlows", { query });
    const flows = (items as JsonObject[]).map(({ nodes, trigger, ...flow }) => {
      return { ...flow, trigger: (trigger as JsonObject).type, nodes: (nodes as unknown[]).length };
    });
    return textResult({ text: JSON.stringify({ flows, pagination }) }, "Ask for a smaller limit.");
  },
});

const readFlow = builderTool({
  name: "millrace_read_flow",
  title: "Read a flow",
  description:
    "A flow with its trigger, nodes and edges. `workingCopy` holds unpublished changes by people and millrace_change_flow; null without one.",
  isReading: true,
  uses: ["readFlow", "readDraft"],
  input: z.object({ flowId }),
  perform: async ({ flowId: id }, port) => {
    const flow = await readAnswer(port, "readFlow", { params: { id } });
    const workingCopy = flow.draft == null ? null : await readAnswer(port, "readDraft", { params: { id } });
    return textResult({ text: JSON.stringify({ flow, workingCopy }) }, "The rest can be read in the editor.");
  },
});

const fixesCharactersMax = 32_768;

const check = builderTool({
  name: "millrace_check_flow",
  title: "Check a flow",
  description:
    "Why a flow with this trigger, these nodes and edges could not be activated (`problems`), and likely mistakes (`advice`). Nothing is stored.",
  isReading: true,
  uses: ["checkFlow"],
  input: checkFlow.body,
  perform: async (body, port) => {
    const { problems, advice } = await readAnswer(port, "checkFlow", { body });
    const full = JSON.stringify({ problems, advice });
    // Each fix contains the whole flow.
    const text = full.length <= fixesCharactersMax ? full : JSON.stringify({ problems, advice: inBrief(advice) });
    return textResult({ text }, "Mend these first.");
  },
});

const createFlow = builderTool({
  name: "millrace_create_flow",
  title: "Create a draft",
  description: "Stores a new flow as a draft. A person activates it.",
  isReading: false,
  uses: ["createFlow", "checkFlow"],
  input: z.object({
    name: flowName,
    description: flowDescription.optional(),
    tags: flowTags.optional(),
    trigger: flowTrigger,
    nodes: flowNodes,
    edges: flowEdges.optional().default([]),
    variables: flowVariables.optional(),
  }),
  perform: async (given, port) => {
    const { id, name, status, version, updatedAt } = await readAnswer(port, "createFlow", {
      body: { ...given, status: "draft" },
    });
    const { trigger, nodes, edges } = given;
    const { problems, advice } = await readAnswer(port, "checkFlow", { body: { trigger, nodes, edges, flowId: id } });
    return textResult(
      { text: JSON.stringify({ flowId: id, name, status, version, updatedAt, problems, advice: inBrief(advice) }) },
      "Check the flow to read the rest.",
    );
  },
});

/** Advice without the flows of its fixes. */
function inBrief(advice: unknown): object[] {
  return (advice as JsonObject[]).map(({ code, severity, nodeId, path, message }) => {
    return { code, severity, nodeId, path, message };
  });
}

const changed = {
  name: flowName.optional(),
  trigger: flowTrigger.optional(),
  nodes: flowNodes.optional().describe("All nodes, in the place of those before"),
  edges: flowEdges.optional().describe("All edges, in the place of those before"),
  variables: flowVariables.optional(),
};

const changeFlow = builderTool({
  name: "millrace_change_flow",
  title: "Change a flow",
  description:
    "Changes a draft, or the working copy of a flow that is or was active; never the published version. Only the parts sent change. A person publishes a working copy.",
  isReading: false,
  uses: ["readFlow", "readDraft", "updateFlow", "writeDraft"],
  input: z.object({
    flowId,
    ...changed,
    revision: z
      .int("revision must be a whole number")
      .min(0)
      .optional()
      .describe("Only if the working copy is at this revision; 0: only if there is none"),
  }),
  perform: async ({ flowId: id, revision, ...parts }, port) => {
    const flow = await readAnswer(port, "readFlow", { params: { id } });
    if (flow.status === "draft") return await changeDraft(port, flow, parts);
    const copy = flow.draft == null ? null : await readAnswer(port, "readDraft", { params: { id } });
    const { trigger, nodes, edges, variables } = (copy?.definition ?? flow) as JsonObject;
    const body = {
      definition: { trigger, nodes, edges, variables, ...parts },
      ...(copy === null ? {} : { basedOn: copy.basedOn }),
    };
    const ifMatch = `"${revision ?? copy?.revision ?? 0}"`;
    const written = await readAnswer(port, "writeDraft", { params: { id }, body, ifMatch });
    const { definition: _, ...answered } = written;
    const text = JSON.stringify({ flowId: id, changed: "working copy", ...answered });
    return textResult({ text }, "Read the flow to see the rest.");
  },
});

/** Conditional on the state that was read, so that a flow that is just being activated is not changed. */
async function changeDraft(port: Port, flow: JsonObject, parts: object) {
  const { id, version, updatedAt } = flow;
  const params = { id };
  await readAnswer(port, "updateFlow", { params, body: parts, ifMatch: `"${version} ${updatedAt}"` });
  const now = await readAnswer(port, "readFlow", { params });
  const { trigger, nodes, edges } = now;
  const { problems, advice } = await readAnswer(port, "checkFlow", { body: { trigger, nodes, edges, flowId: id } });
  const answered = { flowId: id, changed: "draft", version: now.version, updatedAt: now.updatedAt };
  return textResult(
    { text: JSON.stringify({ ...answered, problems, advice: inBrief(advice) }) },
    "Check the flow to read the rest.",
  );
}

export const flowTools: readonly BuilderTool[] = [
  listNodeTypes,
  readNodeType,
  listFlows,
  readFlow,
  check,
  createFlow,
  changeFlow,
];
