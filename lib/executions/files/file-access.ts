import { AppError } from "#lib/errors.ts";
import { deleteFiles } from "#lib/files/delete-files.ts";
import { saveFile } from "#lib/files/save-file.ts";
import { signedAddress } from "#lib/files/signed-address.ts";
import { referenceTo } from "#lib/files/stored-file.ts";
import { findFile, findNamedFile, listFiles, openFile } from "#lib/files/use-files.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import type { FileAccess } from "#lib/nodes/files/file-access.ts";
import { idOf } from "./read-files.ts";

/** A workspace's files, as a port for a run's nodes. */
export function fileAccess(
  workspaceId: string,
  masking: Pick<FileAccess, "withoutSecrets" | "textWithoutSecrets">,
): FileAccess {
  const find = (reference: unknown) => {
    const id = idOf(reference);
    if (id === undefined) throw new NodeFailure("NO_FILE", "This is not a file's reference");
    return orFailure(() => findFile(workspaceId, id));
  };
  return {
    find: async (reference) => referenceTo(await find(reference)),
    ...masking,
    open: (file) => opened(async () => await openFile(await find(file))),
    save: (file) => orFailure(() => saveFile(workspaceId, file)),
    named: async (name) => {
      const found = await findNamedFile(workspaceId, name);
      return found === null ? null : referenceTo(found);
    },
    list: async (prefix, limit) => (await listFiles(workspaceId, prefix, limit)).map(referenceTo),
    delete: async (ids) => (await deleteFiles(workspaceId, ids)).length,
    sign: ({ file }, until) => signedAddress(file, until),
  };
}

async function* opened(open: () => Promise<AsyncIterable<Buffer>>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await orFailure(open);
}

const codes: Readonly<Record<string, string>> = {
  NOT_FOUND: "FILE_NOT_FOUND",
  PAYLOAD_TOO_LARGE: "FILE_TOO_LARGE",
  SERVICE_UNAVAILABLE: "FILES_UNAVAILABLE",
};

/** Turns a use case's error into a node's failure. */
async function orFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { details = {} } = error;
    const reasons = Object.values(details).map((detail) => `: ${detail}`);
    throw new NodeFailure(codes[error.code] ?? error.code, `${error.message}${reasons.join("")}`, { cause: error });
  }
}
