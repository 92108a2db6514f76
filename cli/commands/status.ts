import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { compareFolder } from "../folder/compare-folder.ts";
import { requireFolder } from "../folder/folder.ts";
import { withFolderLock } from "../folder/lock.ts";
import { standings } from "../folder/standing.ts";
import { FolderState } from "../folder/state.ts";
import { serverOf } from "../server/server.ts";

/** Shows how files and the server's flows differ. Changes nothing. */
export const status: Command<[string]> = async ({ terminal, environment }, _, given) => {
  const server = serverOf(environment);
  const state = new FolderState(requireFolder(given), server.url);
  const { entries, elsewhere } = await withFolderLock(state, () =>
    compareFolder(server, state, terminal, { lists: true }),
  );
  const flows = [
    ...entries.map(({ file, id, standing, merged }) => ({
      file,
      id,
      standing,
      conflicts: (merged?.conflicts ?? []).map(({ path, what }) => ({ path, what })),
    })),
    ...elsewhere.map(({ id, name }) => ({ file: null, id, name, standing: "elsewhere" as const, conflicts: [] })),
  ];
  terminal.print(`${server.url}`);
  const different = flows.filter(({ standing }) => standing !== "same");
  for (const flow of different) {
    const name = flow.file ?? ("name" in flow ? `"${flow.name}"` : "");
    const fields = flow.conflicts.map(({ what }) => what).join(", ");
    terminal.print(`  ${name}: ${standings[flow.standing]}${fields === "" ? "" : ` (${fields})`}`);
  }
  if (different.length === 0) terminal.print(`  ${flows.length} flows, no differences`);
  terminal.printJson({ server: server.url, files: flows });
  return different.length === 0 ? exitCodes.ok : exitCodes.differs;
};
