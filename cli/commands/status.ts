import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { requireFolder } from "../folder/folder.ts";
import { aloneIn } from "../folder/lock.ts";
import { standings } from "../folder/standing.ts";
import { FolderState } from "../folder/state.ts";
import { survey } from "../folder/survey.ts";
import { serverOf } from "../server/server.ts";

/** Shows how files and the server's flows differ. Changes nothing. */
export const status: Command<[string]> = async ({ terminal, environment }, _, given) => {
  const server = serverOf(environment);
  const state = new FolderState(requireFolder(given), server.url);
  const { entries, elsewhere } = await aloneIn(state, () => survey(server, state, terminal, { lists: true }));
  const told = [
    ...entries.map(({ file, id, standing, merged }) => ({
      file,
      id,
      standing,
      conflicts: (merged?.conflicts ?? []).map(({ path, what }) => ({ path, what })),
    })),
    ...elsewhere.map(({ id, name }) => ({ file: null, id, name, standing: "elsewhere" as const, conflicts: [] })),
  ];
  terminal.say(`${server.url}`);
  const different = told.filter(({ standing }) => standing !== "same");
  for (const one of different) {
    const name = one.file ?? ("name" in one ? `"${one.name}"` : "");
    const fields = one.conflicts.map(({ what }) => what).join(", ");
    terminal.say(`  ${name}: ${standings[one.standing]}${fields === "" ? "" : ` (${fields})`}`);
  }
  if (different.length === 0) terminal.say(`  ${told.length} flows, no differences`);
  terminal.tell({ server: server.url, files: told });
  return different.length === 0 ? exitCodes.ok : exitCodes.differs;
};
