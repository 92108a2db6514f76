import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import { importFlow as importFlowEndpoint, importLevelsMax } from "#lib/contract/flows/flow-copies.ts";
import { newFlow } from "#lib/contract/flows/flows.ts";
import { flowLimits } from "#lib/engine/flow.ts";
import { formatPath, type JsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import type { TextProblem } from "#lib/flow-text/read-flow-text.ts";
import { isDeeperThan, jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { parseJsonInTurns } from "#lib/json/parse-json.ts";
import { convertN8n } from "#lib/n8n/convert.ts";
import { N8nDocumentError } from "#lib/n8n/document.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { createFlow } from "./create-flow.ts";
import { findFlow } from "./show-flow.ts";
import { testsToExport } from "./tests/flow-tests.ts";
import { readTextInWorker } from "./text/read-elsewhere.ts";

type Body = z.output<(typeof importFlowEndpoint)["body"]>;
type Report = NonNullable<z.input<(typeof importFlowEndpoint)["answer"]>["report"]>;

/** Creates a draft from an exported document, or from another service's. Throws VALIDATION_ERROR. */
export async function importFlow(actor: Actor, { name, data, document, text, overwriteVariables }: Body) {
  if (text !== undefined) return await importText(actor, text, { name, overwriteVariables });
  if (data !== undefined) return await importExported(actor, { name, data, overwriteVariables });
  return await importN8n(actor, name ?? null, document);
}

/** Creates a draft from canonical text; problems are reported with line and column. */
async function importText(actor: Actor, text: string, options: Pick<Body, "name" | "overwriteVariables">) {
  const read = await readTextInWorker(actor.workspaceId, text);
  if ("problems" in read) throw unusableText(read.problems);
  const document = await parseJsonInTurns(read.document, importLevelsMax);
  const body = importFlowEndpoint.body.safeParse({ ...options, data: document });
  const [issue] = body.error?.issues ?? [];
  if (body.data?.data === undefined) throw unusable(issue?.message ?? "gives no flow", formatPath(issue?.path ?? []));
  try {
    return await importExported(actor, { ...options, data: body.data.data });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "VALIDATION_ERROR") throw error;
    const details = Object.entries(error.details ?? {});
    const paths = details.map(([path]) => path.replace(/^data\.(flow\.)?/, ""));
    const found = await readTextInWorker(actor.workspaceId, text, paths);
    if ("problems" in found) throw error;
    throw unusableText(found.places.map((place, index) => ({ ...place, message: String(details[index]?.[1]) })));
  }
}

function unusableText(problems: readonly TextProblem[]): AppError {
  const details = problems.map(({ line, column, path, message }) => [
    `line ${line}, column ${column}${path === "" ? "" : ` (${path})`}`,
    message,
  ]);
  return new AppError("VALIDATION_ERROR", "The text cannot be imported", { details: Object.fromEntries(details) });
}

/** Converts an n8n workflow. Remaining work is stored with the canvas, so that the editor shows it. */
async function importN8n(actor: Actor, name: string | null, document: unknown) {
  const { flow, report } = await converted(document);
  const { canvas, ...otherSettings } = flow.settings;
  const gaps = report.gaps.map((gap) => ({ ...gap }));
  const settings = { ...otherSettings, canvas: { ...canvas, imported: { from: "n8n", gaps } } };
  const given = newFlow.safeParse({ ...flow, ...(name === null ? {} : { name }), settings });
  if (!given.success) throw unusable(given.error.issues[0]?.message ?? "gives no flow");
  await requireLimits(given.data, "document");
  return await createFlow<{ report: Report }>(actor, given.data, [], { report: { converted: report.converted, gaps } });
}

async function converted(document: unknown) {
  try {
    return await convertN8n(document, { pause: yieldTurn });
  } catch (error) {
    if (!(error instanceof N8nDocumentError)) throw error;
    throw unusable(error.message, error.path);
  }
}

function unusable(message: string, path = ""): AppError {
  const field = path === "" ? "document" : `document.${path}`;
  return new AppError("VALIDATION_ERROR", "The document cannot be imported", { details: { [field]: message } });
}

/** Creates a draft from an exported document, with the checks of any new flow. Throws VALIDATION_ERROR. */
async function importExported(
  actor: Actor,
  { name, data, overwriteVariables }: Pick<Body, "name" | "overwriteVariables"> & { data: NonNullable<Body["data"]> },
) {
  const { flow } = data;
  await requireLimits(flow, "data.flow");
  const chosen = name ?? flow.name ?? null;
  if (chosen === null) {
    throw new AppError("VALIDATION_ERROR", "The flow has no name", { details: { "data.flow.name": "is required" } });
  }
  const own = overwriteVariables ? {} : await variablesOfNamesake(actor, chosen);
  const remaining = Object.entries(own).filter(([key]) => Object.hasOwn(flow.variables, key));
  const variables = { ...flow.variables, ...Object.fromEntries(remaining) };
  try {
    return await createFlow(actor, { ...flow, name: chosen, status: "draft", variables }, data.tests);
  } catch (error) {
    throw inDocument(error);
  }
}

/**
 * A document may be larger and deeper than a request that changes a flow: it holds tests too. Refuses a flow for which
 * there is no such request. Its size is that of the request and as much again, for defaults that an export names.
 */
async function requireLimits(flow: object, path: string): Promise<void> {
  const bytesMax = 2 * env().maxBodyBytes;
  if ((await jsonBytesInTurns(flow, bytesMax)) > bytesMax) {
    const details = { [path]: `a flow has at most ${bytesMax.toLocaleString("en-US")} bytes as JSON` };
    throw new AppError("VALIDATION_ERROR", "The flow is too large", { details });
  }
  for (const [field, value] of Object.entries(flow)) {
    if (!(await isDeeperThan(value, flowLimits.levelsMax - 1))) continue;
    const details = { [`${path}.${field}`]: `must not be nested deeper than ${flowLimits.levelsMax - 1} levels` };
    throw new AppError("VALIDATION_ERROR", "The flow is nested too deeply", { details });
  }
}

/**
 * The variables of the newest flow with the same name: they are specific to the environment and must not be
 * overwritten.
 */
async function variablesOfNamesake(actor: Actor, name: string): Promise<JsonObject> {
  const where = { workspaceId: actor.workspaceId, name };
  const newest = await database().flow.findFirst({ where, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
  return newest === null ? {} : (await findFlow(actor, newest.id)).definition.variables;
}

/** Names the fields as in the request. */
function inDocument(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_ERROR") return error;
  const details = Object.entries(error.details ?? {}).map(([path, message]) => [
    path.startsWith("tests") ? `data.${path}` : `data.flow.${path}`,
    message,
  ]);
  return new AppError(error.code, error.message, { details: Object.fromEntries(details) });
}

interface DuplicateOptions {
  readonly name?: string | null | undefined;
  readonly includeVariables: boolean;
  readonly includeConnections: boolean;
}

const suffix = " (copy)";

/** Cut to the limit, but not within a surrogate pair. */
function copiedName(name: string): string {
  return name.slice(0, flowLimits.nameCharactersMax - suffix.length).replace(/[\ud800-\udbff]$/, "") + suffix;
}

/** Copies this flow as a draft with a new trigger URL. Throws NOT_FOUND. */
export async function duplicateFlow(actor: Actor, id: string, options: DuplicateOptions) {
  if (actor.once?.made) return actor.once.made as Awaited<ReturnType<typeof createFlow>>;
  const { row, definition } = await findFlow(actor, id);
  const document = {
    name: options.name ?? copiedName(row.name),
    description: row.description,
    status: "draft" as const,
    tags: row.tags,
    settings: row.settings === null ? null : JSON.parse(row.settings),
    trigger: definition.trigger,
    nodes: [...definition.nodes],
    edges: options.includeConnections ? [...definition.edges] : [],
    variables: options.includeVariables ? definition.variables : {},
  };
  return await createFlow(actor, document, await testsToExport(id));
}
