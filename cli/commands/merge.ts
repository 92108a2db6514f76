import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { requireText, writeAtomically } from "../folder/flow-files.ts";
import { documentOf, mergeTexts, readText } from "../folder/texts.ts";
import { shown } from "./diff.ts";

interface MergeOptions {
  /** The file's name in messages: git passes the names of temporary files. */
  readonly path?: string;
  readonly output?: string;
}

/**
 * Merges by meaning, into OURS: git's merge driver. A field changed on both sides is reported by name and written between
 * conflict markers; the exit code 1 makes git leave the file in conflict.
 */
export const merge: Command<[string, string, string], MergeOptions> = async (
  { terminal },
  { path, output },
  baseFile,
  oursFile,
  theirsFile,
) => {
  const name = path ?? oursFile;
  const ours = requireText(oursFile);
  const theirs = requireText(theirsFile);
  const base = requireText(baseFile);
  const target = output ?? oursFile;
  const oursDocument = documentOf(ours, `${name} (ours)`);
  const theirsDocument = documentOf(theirs, `${name} (theirs)`);
  // Both sides created the file: the base is what they have in common.
  const isAdded = base.trim() === "";
  const baseDocument = isAdded
    ? { ...oursDocument, flow: { ...oursDocument.flow, nodes: [], edges: [], variables: {} }, tests: [] }
    : documentOf(base, `${name} (base)`);
  const { text, conflicts } = mergeTexts(baseDocument, oursDocument, theirsDocument, {
    previous: ours,
    names: ["ours", "theirs"],
  });
  if (conflicts.length > 0 && readText(text).document !== undefined) {
    // The texts are equal but mean different things: git must not consider the file merged.
    writeAtomically(target, `<<<<<<< ours\n${ended(ours)}=======\n${ended(theirs)}>>>>>>> theirs\n`);
  } else writeAtomically(target, text);
  for (const conflict of conflicts) {
    terminal.warn(`CONFLICT in ${name}: both sides changed ${conflict.what} (${conflict.path})`);
    terminal.warn(`  ours:   ${shown(conflict.ours)}`);
    terminal.warn(`  theirs: ${shown(conflict.theirs)}`);
  }
  terminal.printJson({ file: name, conflicts });
  return conflicts.length > 0 ? exitCodes.differs : exitCodes.ok;
};

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
