import { join } from "node:path";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { flowEnding, readText, writeAtomically } from "../folder/flow-files.ts";
import { git } from "../folder/git.ts";

const attributes = `*${flowEnding} text eol=lf diff=millrace merge=millrace`;

/** Configures git to compare and merge this repository's flows by meaning. `--command`: how git starts millrace. */
export const gitSetup: Command<[], { readonly command?: string }> = async (
  { terminal },
  { command = "npx millrace" },
) => {
  const root = git(".", "rev-parse", "--show-toplevel")?.trim();
  if (!root) throw new Failure("usage", "There is no git repository here");
  if (["\n", "\r", "\u0000"].some((character) => command.includes(character)))
    throw new Failure("usage", "The command must be one line");
  const settings: Record<string, string> = {
    "diff.millrace.command": `${command} diff-driver`,
    "merge.millrace.name": "flows by meaning",
    // Git quotes %P itself.
    "merge.millrace.driver": `${command} merge %O %A %B --path %P`,
  };
  for (const [name, value] of Object.entries(settings)) {
    if (git(root, "config", "--local", name, value) === null) throw new Failure("usage", `git did not accept ${name}`);
  }
  const file = join(root, ".gitattributes");
  const before = readText(file) ?? "";
  const lines = before.split(/\r?\n/);
  const isThere = lines.includes(attributes);
  if (!isThere) {
    // What an earlier version wrote; other attributes of flows are their owner's.
    const isEarlier = (line: string) => line.startsWith(`*${flowEnding} `) && /=millrace\b/.test(line);
    const others = lines.filter((line) => !isEarlier(line)).join("\n");
    writeAtomically(file, `${others === "" || others.endsWith("\n") ? others : `${others}\n`}${attributes}\n`);
  }
  terminal.print(`git diff and git merge now compare flows semantically (${root}/.git/config).`);
  if (!isThere) terminal.print("Commit .gitattributes; everyone else has to run millrace git-setup once.");
  terminal.printJson({ root, settings, attributes });
  return exitCodes.ok;
};
