import type { Api } from "#components/api/use-api.ts";
import { traitsIn } from "#components/canvas/flow-graph.ts";
import { fetchCopy } from "#components/flows/read-flow.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { ShownDraft } from "#lib/contract/flows/working-copy.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { type FlowDraft, openDraft } from "#lib/engine/changes/flow-draft.ts";
import {
  type FlowSettings,
  type FlowStatus,
  type FlowTrigger,
  flowEdges,
  flowNodes,
  flowSettings,
  triggerSource,
} from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { draftChanges } from "../draft/draft-changes.ts";
import { type PlacedProblem, placeProblem } from "../draft/read-problems.ts";

/** A live flow's unpublished changes. */
export interface WorkingCopy {
  readonly revision: number;
  /** The version that the changes are based on. */
  readonly basedOn: number;
  /** The changes, each in a few words, and all of them in one line. Empty: the working copy equals the published version. */
  readonly changes: readonly string[];
  /** Those that no comparison of nodes shows: the name, settings and the layout. */
  readonly besides: readonly string[];
  readonly summary: string;
  /** Whether they include the trigger. */
  readonly changesTrigger: boolean;
  /** What keeps it from being published. */
  readonly problems: readonly PlacedProblem[];
  /** The published version's settings, without the canvas. */
  readonly published: FlowSettings;
  /** The published version's trigger, which calls use. */
  readonly publishedTrigger: FlowTrigger;
}

/** A state of the stored flow. Name, tags, status and settings change without a new version, but not without a new time. */
export interface Stamp {
  /** The published version. */
  readonly version: number;
  readonly updatedAt: string;
  /** The trigger URL; missing while it is not known to have changed. */
  readonly url?: string | null;
  /** Missing or null: there is no working copy, and the stored flow is what runs. */
  readonly copy?: WorkingCopy | null;
}

/** The `updatedAt` of a state known to be stale: a save with it is refused, and the flow fetched. */
export const outdated = "1970-01-01T00:00:00.000Z";

/** Whether there is anything to publish. */
export function hasChanges(copy: WorkingCopy | null | undefined): copy is WorkingCopy {
  return copy != null && copy.changes.length > 0;
}

/** The flow as it is on the server. */
export interface ServerFlow extends Stamp {
  readonly draft: FlowDraft;
}

/** The base of the edits. */
export interface Beginning {
  readonly server: ServerFlow;
  /** The same flow exactly as stored, and as shown: with positions for nodes without stored ones. */
  readonly stored: FlowDraft;
  readonly shown: FlowDraft;
  /** Where the browser keeps the edits until they are saved, also those of an earlier visit that this one started with. */
  readonly keptAt: string;
}

/** The value for `If-Match`, so that changes unknown to this page are never overwritten. */
export function tagOf({ version, updatedAt }: Stamp): string {
  return `"${version} ${updatedAt}"`;
}

/** Whether nothing was stored between the two. */
export function isSameState(a: Stamp, b: Stamp): boolean {
  return a.updatedAt === b.updatedAt && (a.copy?.revision ?? 0) === (b.copy?.revision ?? 0);
}

/** Milliseconds after which a request counts as unanswered: enough for the largest flow on a slow network. */
const answerMsMax = 30_000;

/** Gives up a request that a server or a network leaves hanging. */
export async function answered<Answer>(request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), answerMsMax);
  return await request(limit.signal).finally(() => clearTimeout(timer));
}

/** Fetches the current flow with its unpublished changes. */
export async function fetchServerFlow(
  api: Api,
  id: string,
  types: readonly NodeType[],
): Promise<ServerFlow & { readonly status: FlowStatus }> {
  return await answered(async (signal) => {
    const flow = await readFlow(api, id, signal);
    const copy = flow.draft ? await fetchCopy(api, id, signal) : null;
    return { ...openServerFlow(flow, copy, types), status: flow.status };
  });
}

type ShownFlow = Awaited<ReturnType<typeof readFlow>>;
const readFlow = (api: Api, id: string, signal: AbortSignal) => api.call("readFlow", { params: { id }, signal });

/** The flow to edit: its working copy, if there is one. */
export function openServerFlow(flow: ShownFlow, copy: ShownDraft | null, types: readonly NodeType[]): ServerFlow {
  const { version, updatedAt } = flow;
  const url = urlOf(flow);
  const traitsOf = traitsIn(types);
  const published = openDraft(
    { ...flow, nodes: flowNodes.parse(flow.nodes), edges: flowEdges.parse(flow.edges) },
    traitsOf,
  );
  if (copy === null) return { draft: published, version, updatedAt, url, copy: null };
  const { canvas, ...settings } = published.settings;
  const working = copyOf(copy, settings, published.trigger);
  // Everything was undone: the working copy must not hide what was published since.
  if (working.changes.length === 0)
    return { draft: published, version, updatedAt, url, copy: { ...working, basedOn: version } };
  const { definition } = copy;
  const edited = {
    ...definition,
    description: flow.description,
    tags: flow.tags,
    nodes: flowNodes.parse(definition.nodes),
    edges: flowEdges.parse(definition.edges),
    settings: { ...flowSettings.parse(definition.settings), ...(canvas && { canvas }) },
  };
  const draft = openDraft(edited, traitsOf);
  return { draft, version, updatedAt, url, copy: working };
}

/** The URL that starts the flow; null for a trigger without one. */
function urlOf({ trigger }: Pick<ShownFlow, "trigger">): string | null {
  const config = isJsonObject(trigger.config) ? trigger.config : {};
  return typeof config.url === "string" ? config.url : null;
}

const besidesNodes: ReadonlySet<string> = new Set(["name", "settings", "positions"]);

function copyOf(shown: ShownDraft, published: FlowSettings, publishedTrigger: FlowTrigger): WorkingCopy {
  const { revision, basedOn, changes, summary } = shown;
  const definition = { nodes: flowNodes.parse(shown.definition.nodes) };
  const besides = changes.filter(({ path }) => path !== undefined && besidesNodes.has(path));
  const words = (list: typeof changes) => list.map((change) => change.summary);
  const problems = shown.problems.map(({ path, message, nodeId }) =>
    placeProblem({ path, message, ...(nodeId !== undefined && { nodeId }) }, definition),
  );
  const changesTrigger = changes.some(({ nodeId }) => nodeId === triggerSource);
  const details = { changes: words(changes), besides: words(besides), summary, changesTrigger };
  return { revision, basedOn, ...details, problems, published, publishedTrigger };
}

/** The edits of one request. */
interface Sending {
  /** The flow on the server once this is saved. */
  readonly draft: FlowDraft;
  readonly isForCopy: boolean;
}

/**
 * The next part of the edits to send. For a live flow, what runs goes to its working copy, and then what people only see
 * (description, tags, canvas) to the flow itself. One at a time, so that after a lost response it is known what the server
 * may have.
 */
export function nextToStore(known: ServerFlow, draft: FlowDraft, isLive: boolean): Sending {
  if (!isLive && !hasChanges(known.copy)) return { draft, isForCopy: false };
  const { description, tags, settings } = known.draft;
  const { canvas: shown, ...edited } = draft.settings;
  const { canvas, ...before } = settings;
  const isSame = isDeepEqual(edited, before);
  const fields = Object.keys(draftChanges(known.draft, draft));
  const runs = fields.some((field) => !["description", "tags", "settings"].includes(field)) || !isSame;
  if (!runs) return { draft, isForCopy: false };
  const isSeen = description !== draft.description || tags !== draft.tags || !isDeepEqual(shown, canvas);
  if (!isSeen) return { draft, isForCopy: true };
  const content = { ...draft, description, tags, settings: { ...edited, ...(canvas && { canvas }) } };
  return { draft: content, isForCopy: true };
}

/** Saves it, if nothing else was saved since. */
export async function storeFlow(
  api: Api,
  id: string,
  known: ServerFlow,
  { draft, isForCopy }: Sending,
): Promise<Stamp> {
  const params = { id };
  if (!isForCopy) {
    const { settings, ...others } = draftChanges(known.draft, draft);
    const headers = { "if-match": tagOf(known) };
    const body = { ...others, ...(settings && { settings: publishedSettings(known, draft) }) };
    const { payload, version } = await answered((signal) =>
      api.callVersioned("updateFlow", { params, body, headers, signal }),
    );
    return {
      ...known,
      version: version ?? known.version,
      updatedAt: payload.updatedAt,
      ...(payload.trigger && { url: urlOf({ trigger: payload.trigger }) }),
    };
  }
  const { name, trigger, nodes, edges, variables } = draft;
  const { canvas: _, ...settings } = draft.settings;
  const definition = {
    name: name.trim() === "" ? known.draft.name : name,
    trigger,
    nodes: [...nodes],
    edges: [...edges],
    variables,
    settings,
  };
  const body = { definition, basedOn: known.copy?.basedOn ?? known.version, flowUpdatedAt: known.updatedAt };
  const headers = { "if-match": revisionTag(known) };
  const shown = await answered((signal) => api.call("writeDraft", { params, body, headers, signal }));
  const { canvas: __, ...before } = known.draft.settings;
  const copy = copyOf(shown, known.copy?.published ?? before, known.copy?.publishedTrigger ?? known.draft.trigger);
  if (copy.changes.length > 0) return { ...known, copy };
  // Everything was undone: the canvas equals the version it is based on, whatever was published since.
  await discardCopy(api, id, { copy });
  const { basedOn } = copy;
  return { version: basedOn, updatedAt: basedOn === known.version ? known.updatedAt : outdated, copy: null };
}

/** Discards the working copy, if it is still the one that this page knows. */
export async function discardCopy(api: Api, id: string, known: Pick<Stamp, "copy">): Promise<void> {
  await api.call("discardDraft", { params: { id }, headers: { "if-match": revisionTag(known) } });
}

/** The settings for a PATCH, without those of the working copy. */
function publishedSettings({ copy }: Stamp, { settings: { canvas, ...settings } }: FlowDraft): FlowSettings {
  return { ...(hasChanges(copy) ? copy.published : settings), ...(canvas && { canvas }) };
}

/** The value for `If-Match` of operations on the working copy. */
export function revisionTag({ copy }: Pick<Stamp, "copy">): string {
  return `"${copy?.revision ?? 0}"`;
}
