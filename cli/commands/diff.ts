import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { diffFlows, type FlowChange } from "#lib/flow-text/diff-flows.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { findFlowFiles, requireText } from "../folder/flow-files.ts";
import { filesOfCommit, git } from "../folder/git.ts";
import { allPulled, pathIn, pulledFolderOf } from "../folder/state.ts";
import { asStored, documentOf } from "../folder/texts.ts";

interface DiffOptions {
  readonly markdown?: boolean;
}

interface FileDiff {
  readonly file: string;
  readonly kind: "added" | "removed" | "changed";
  /** The flow's name. */
  readonly name: string;
  readonly changes: readonly FlowChange[];
}

/** One side: texts by path. `name`: its name in messages. */
interface Side {
  readonly name: string;
  readonly texts: ReadonlyMap<string, string>;
  /** True for a single file, which is compared with another single file whatever their names. */
  readonly isOne: boolean;
}

/** Compares flows by meaning. `a` and `b` are files, folders or commits; without `a`, compares with the last pull. */
export const diff: Command<[string | undefined, string | undefined], DiffOptions> = async (
  { terminal },
  { markdown = false },
  a,
  b,
) => {
  const isAlone = b === undefined && (a === undefined || existsSync(a));
  const [was, is] = [a ?? ".", b ?? (isAlone ? (a ?? ".") : ".")];
  const after = sideOf(is, was);
  const before = isAlone ? lastPull(was, after) : sideOf(was, is);
  const found = compare(before, after);
  if (markdown) terminal.write(asMarkdown(found));
  else {
    for (const { file, kind, name, changes } of found) {
      terminal.print(terminal.paint("bold", `${file}${kind === "changed" ? "" : ` (${kind})`}: ${name}`));
      for (const change of changes) terminal.print(`  ${lineOf(change, (paint, text) => terminal.paint(paint, text))}`);
    }
    if (found.length === 0) terminal.print("No differences");
    terminal.printJson({ files: found });
  }
  return found.length === 0 ? exitCodes.ok : exitCodes.differs;
};

/** Git's external diff driver. Git stops at any exit code other than 0. */
export const diffDriver: Command<[readonly string[]]> = async ({ terminal }, _, given) => {
  const [path = "", oldFile = "/dev/null", , , newFile = "/dev/null"] = given;
  const read = (file: string) => (file === "/dev/null" ? null : requireText(file));
  const [before, after] = [read(oldFile), read(newFile)];
  terminal.print(
    terminal.paint("bold", `${path} ${before === null ? "(added)" : after === null ? "(removed)" : ""}`.trim()),
  );
  try {
    const changes = changesOf(
      before === null ? null : documentOf(before, path),
      after === null ? null : documentOf(after, path),
    );
    for (const change of changes) terminal.print(`  ${lineOf(change, (paint, text) => terminal.paint(paint, text))}`);
    if (changes.length === 0) terminal.print("  only card positions, the order of entries, or comments");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    terminal.print(`  ${error.message}`);
  }
  return exitCodes.ok;
};

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** `other`: the other side. The paths of a commit are relative to its folder. */
function sideOf(given: string, other: string): Side {
  if (!existsSync(given)) {
    const folder = isFile(other) ? dirname(other) : existsSync(other) ? other : ".";
    return { name: given, texts: filesOfCommit(folder, given), isOne: false };
  }
  if (isFile(given)) return { name: given, texts: new Map([[given, requireText(given)]]), isOne: true };
  const files = findFlowFiles(given).map((file) => [file, requireText(join(given, file))] as const);
  return { name: given, texts: new Map(files), isOne: false };
}

const lastPullName = "the last pull";

/** The last pulled state of a folder's files, or of one of them. */
function lastPull(given: string, { texts, isOne }: Side): Side {
  const name = lastPullName;
  if (!isOne) {
    const pulled = allPulled(given);
    // A fresh clone has no pulled state: the checked-out commit takes its place.
    if (pulled.size > 0) return { name, texts: pulled, isOne };
    if (git(given, "rev-parse", "--verify", "--quiet", "HEAD") === null) {
      throw new Failure(
        "usage",
        `Nothing was pulled into ${given}, and git has no commit of it: name what to compare it with`,
      );
    }
    return { name: "HEAD", texts: filesOfCommit(given, "HEAD"), isOne };
  }
  const [file = ""] = texts.keys();
  const folder = pulledFolderOf(file);
  const pulled = allPulled(folder).get(pathIn(folder, file));
  if (pulled === undefined) throw new Failure("usage", `${file} was never pulled here: name what to compare it with`);
  return { name, texts: new Map([[file, pulled]]), isOne };
}

function compare(before: Side, after: Side): FileDiff[] {
  const pairs =
    before.isOne && after.isOne
      ? [
          {
            file: [...after.texts.keys()][0] ?? "",
            old: [...before.texts.values()][0],
            now: [...after.texts.values()][0],
          },
        ]
      : filesOf(before, after).map((file) => ({ file, old: textOf(before, file), now: textOf(after, file) }));
  return pairs.flatMap(({ file, old, now }): FileDiff[] => {
    if (old === now) return [];
    const [was, is] = [old, now].map((text, side) =>
      text === undefined ? null : documentOf(text, `${side === 0 ? before.name : after.name}: ${file}`),
    );
    // Values that the server has filled in since the pull are not changes.
    const given = was && is && before.name === lastPullName ? asStored(is, was) : (is ?? null);
    const changes = changesOf(was ?? null, given);
    const kind = was == null ? "added" : is == null ? "removed" : "changed";
    const name = (is ?? was)?.flow.name ?? "";
    return kind === "changed" && changes.length === 0 ? [] : [{ file, kind, name, changes }];
  });
}

function filesOf(before: Side, after: Side): string[] {
  if (after.isOne) return [...after.texts.keys()];
  if (before.isOne) return [...before.texts.keys()];
  return [...new Set([...before.texts.keys(), ...after.texts.keys()])].toSorted();
}

/** A single file is found in a folder or commit by its path, or else by its name. */
function textOf({ texts }: Side, file: string): string | undefined {
  const path = relative(".", resolve(file));
  return texts.get(file) ?? texts.get(path) ?? texts.get(basename(file));
}

function changesOf(before: FlowDocument | null, after: FlowDocument | null): FlowChange[] {
  const { traits } = nodeTypes;
  if (before !== null && after !== null) return diffFlows(before, after, traits);
  const flow = (after ?? before) as FlowDocument;
  const { name, trigger } = flow.flow;
  const empty: FlowDocument = {
    version: flow.version,
    flow: { name, description: null, trigger, nodes: [], edges: [] },
  };
  return after === null ? diffFlows(flow, empty, traits) : diffFlows(empty, flow, traits);
}

const marks = { added: ["green", "+"], removed: ["red", "-"], changed: ["yellow", "~"] } as const;
const valueCharactersMax = 200;

function lineOf(
  { kind, summary, before, after }: FlowChange,
  paint: (paint: "green" | "red" | "yellow", text: string) => string,
): string {
  const [color, mark] = marks[kind];
  const plain = summary.replace(/^[+−-] /, "");
  const values = kind === "changed" ? `: ${shown(before)} → ${shown(after)}` : "";
  return `${paint(color, mark)} ${plain}${values}`;
}

/** A value in a line of a message. */
export function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text;
}

/** A pull request comment. Text from flows is formatted as code, so that it cannot contain markup or mention anyone. */
function asMarkdown(found: readonly FileDiff[]): string {
  if (found.length === 0) return "### Flows\n\nNo flow changes what it means.\n";
  const files = found.map(({ file, kind, name, changes }) => {
    const lines = changes.map((change) => lineOf(change, (_, text) => text));
    return `#### ${code(name)} — ${code(file)}${kind === "changed" ? "" : `, ${kind}`}\n\n${fenced(lines)}\n`;
  });
  return `### Flows\n\n${files.join("\n")}`;
}

function code(text: string): string {
  return `\`${text.replace(/[`\s]+/g, " ").trim()}\``;
}

function fenced(lines: readonly string[]): string {
  const text = lines.map((line) => line.replaceAll("\n", " ")).join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${text.replace(/^~/gm, "!")}\n${fence}`;
}
