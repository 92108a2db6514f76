// The files of a folder that is kept in step with a server.
import { existsSync, mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import type { Place, TextProblem } from "#lib/flow-text/read-flow-text.ts";
import { Failure, fileFailure } from "../failure.ts";
import { findFlowFiles, requireText } from "./flow-files.ts";
import { readText } from "./texts.ts";

export interface LocalFlow {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  readonly text: string;
  /** Null for a text that is not a flow. */
  readonly document: FlowDocument | null;
  readonly problems: readonly TextProblem[];
  readonly placeOf: (path: string) => Place & { readonly path: string };
}

/** An existing folder. Throws Failure. */
export function requireFolder(given: string): string {
  const folder = resolve(given);
  if (!existsSync(folder)) throw fileFailure(given, { code: "ENOENT" });
  return folder;
}

/** A folder to write to, created if it does not exist. Throws Failure. */
export function makeFolder(given: string): string {
  const folder = resolve(given);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw fileFailure(given, error);
  }
  return folder;
}

/** Reads the named files of a folder, or all its flow files. */
export function readLocal(folder: string, files: readonly string[] = findFlowFiles(folder)): LocalFlow[] {
  return files.map((file) => localFlow(file, requireText(join(folder, file))));
}

export function localFlow(file: string, text: string): LocalFlow {
  const { document, problems, placeOf } = {
    placeOf: (path: string) => ({ line: 1, column: 1, path }),
    ...readText(text),
  };
  return { file, text, document: document ?? null, problems: problems ?? [], placeOf };
}

/**
 * Finds the flow of each file, including renamed files: an unknown file is matched by name with a known flow whose own
 * file is gone. `known`: flows by file.
 */
export function settleFiles(
  known: ReadonlyMap<string, string>,
  local: readonly LocalFlow[],
  nameOf: (id: string) => string | null,
) {
  const settled = new Map<string, string>();
  const here = new Set(local.map(({ file }) => file));
  const lost = [...known].filter(([file]) => !here.has(file));
  const renamed: { readonly from: string; readonly to: string; readonly id: string }[] = [];
  for (const { file, document } of local) {
    const id = known.get(file);
    if (id !== undefined) {
      settled.set(file, id);
      continue;
    }
    const belongs = lost.filter(
      ([from, flow]) => basename(from) === basename(file) || (document !== null && nameOf(flow) === document.flow.name),
    );
    const [fit, ...others] = belongs;
    if (fit === undefined || others.length > 0) continue;
    lost.splice(lost.indexOf(fit), 1);
    settled.set(file, fit[1]);
    renamed.push({ from: fit[0], to: file, id: fit[1] });
  }
  return { settled, lost, renamed };
}

/** The flows in the files and folders given by the user. Throws Failure if there are none. */
export function readNamed(paths: readonly string[]): LocalFlow[] {
  const found = paths.flatMap((path) => {
    const folder = resolve(path);
    if (!existsSync(folder)) throw fileFailure(path, { code: "ENOENT" });
    return isFlowFile(path)
      ? [localFlow(path, requireText(path))]
      : readLocal(folder).map((flow) => ({ ...flow, file: join(path, flow.file) }));
  });
  if (found.length > 0) return found;
  throw new Failure("usage", `There is no flow in ${paths.join(", ")}: flows are in files that end in .flow.yaml`);
}

function isFlowFile(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
