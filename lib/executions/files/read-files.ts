import { AppError } from "#lib/errors.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import type { Run } from "#lib/executions/run.ts";
import { type ConfigPlan, type FileMethod, type FileRead, planConfig } from "#lib/expressions/expressions.ts";
import { findFile, readFileBytes } from "#lib/files/use-files.ts";
import { parseJsonInTurns } from "#lib/json/parse-json.ts";
import { levelsMax, NodeFailure } from "#lib/nodes/define.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import { type Known, resolveConfig } from "#lib/scope/resolve-config.ts";

/**
 * What expressions may read of one file, and of all files of a node together: the content is in memory several times
 * over.
 */
const fileBytesMax = 1_048_576;
const allBytesMax = 4_194_304;

const plans = new WeakMap<ConfigPlan, { readonly reads: readonly FileRead[]; readonly named: ConfigPlan }>();

/** The reads of a node's expressions and code, with the expressions that name their files. */
function readsOf(plan: ConfigPlan) {
  const known = plans.get(plan);
  if (known !== undefined) return known;
  const all = plan.evaluated.flatMap(({ fileReads }) => fileReads);
  const reads = [...new Map(all.map((read) => [read.key, read])).values()];
  const config = Object.fromEntries(reads.map(({ key, argument }) => [key, argument]));
  const made = { reads, named: planConfig(config, () => "expression") };
  plans.set(plan, made);
  return made;
}

/** By the read's key. */
type FilesRead = Readonly<Record<string, unknown>>;

const none: FilesRead = {};

/**
 * Reads the files for a node's expressions before any of them is evaluated: as text, value or base64, by the read's
 * key. Throws NodeFailure.
 */
export function readFilesFor(
  run: Pick<Run, "workspaceId" | "stop">,
  plan: ConfigPlan,
  scope: Known,
  outside: Pick<Outside, "sandbox">,
): FilesRead | Promise<FilesRead> {
  const hasNone = plan.evaluated.every(({ fileReads }) => fileReads.length === 0);
  return hasNone ? none : readFilesOf(run, plan, scope, outside);
}

async function readFilesOf(
  run: Pick<Run, "workspaceId" | "stop">,
  plan: ConfigPlan,
  scope: Known,
  { sandbox }: Pick<Outside, "sandbox">,
): Promise<FilesRead> {
  const { reads, named } = readsOf(plan);
  const references = await resolveConfig(named, scope, sandbox, run.stop.signal);
  return await readReferences(run.workspaceId, reads, references);
}

/** Reads each file that these values name, in the requested form. Throws NodeFailure. */
export async function readReferences(
  workspaceId: string,
  reads: readonly FileRead[],
  references: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const found: [string, unknown][] = [];
  let left = allBytesMax;
  for (const { key, method } of reads) {
    const bytes = await bytesOf(workspaceId, key, references[key], left);
    left -= bytes.length;
    await yieldAfter(bytes.length);
    found.push([key, await decode(key, method, bytes)]);
  }
  return Object.fromEntries(found);
}

async function bytesOf(workspaceId: string, key: string, reference: unknown, left: number): Promise<Buffer> {
  const id = idOf(reference);
  if (id === undefined) throw new NodeFailure("NO_FILE", `$file.${key}: this is not a file's reference`);
  try {
    const file = await findFile(workspaceId, id);
    if (file.size > Math.min(fileBytesMax, left)) {
      const limit = file.size > fileBytesMax ? `1 MiB of a file` : "4 MiB of all files together";
      throw new NodeFailure(
        "FILE_TOO_LARGE",
        `$file.${key}: expressions read at most ${limit}; this one has ${file.size} bytes`,
      );
    }
    return await readFileBytes(file);
  } catch (error) {
    if (error instanceof AppError)
      throw new NodeFailure(codes[error.code] ?? "FILE_UNREADABLE", `$file.${key}: ${error.message}`);
    throw error;
  }
}

const codes: Readonly<Record<string, string>> = { NOT_FOUND: "FILE_NOT_FOUND" };

/** A file's id, from its reference or from the id itself. */
export function idOf(reference: unknown): string | undefined {
  if (typeof reference === "string") return reference;
  if (typeof reference !== "object" || reference === null || !("file" in reference)) return undefined;
  return typeof reference.file === "string" ? reference.file : undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

async function decode(key: string, method: FileMethod, bytes: Buffer): Promise<unknown> {
  if (method === "base64") return bytes.toString("base64");
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new NodeFailure("FILE_NOT_TEXT", `$file.${key}: the file is not text in UTF-8`);
  }
  if (method === "text") return text;
  try {
    return await parseJsonInTurns(text, levelsMax);
  } catch {
    throw new NodeFailure("FILE_NOT_JSON", `$file.${key}: the file is not JSON`);
  }
}
