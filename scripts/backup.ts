// `npm run backup -- FILE`: a whole installation in one file, running or not.
import { join, resolve } from "node:path";
import type { Manifest } from "#lib/backup/frames.ts";
import { writeBackup } from "#lib/backup/write-backup.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { readSettings, type Settings, SettingsError } from "#lib/platform/env.ts";
import { keptSecret } from "#lib/platform/secret-files.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";
import { databaseFolderOf, filesOfServer } from "./server/backup-files.ts";
import { embeddedDatabase, fileNamed, migrationsDirectory, ownVersion, passphraseOf } from "./server/backup-place.ts";
import { refuseUnfinishedRestore } from "./server/data-directory.ts";
import { StartError, Stopping } from "./server/stopping.ts";

const log = (line: string) => console.log(line);
const stopping = new Stopping(log, { isService: false });
try {
  await backUp();
  await stopping.end();
} catch (error) {
  await stopping.fail(error);
}

async function backUp(): Promise<void> {
  loadDotEnv(projectDirectory);
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || name.startsWith("-") || rest.length > 0)
    throw new SettingsError(["npm run backup -- FILE"]);
  const file = fileNamed(name);
  const settings = readSettings(process.env);
  const dataDir = resolve(projectDirectory, settings.dataDir);
  if (settings.databaseUrl === undefined) refuseUnfinishedRestore(dataDir);
  const passphrase = await passphraseOf(settings, { isNew: true });
  const url = settings.databaseUrl ?? (await embeddedDatabase(dataDir, stopping, { mayMake: false, say: log }));
  const secrets = secretsOf(settings, dataDir);
  const client = await connect(url, { log });
  let writing: Promise<unknown> | undefined;
  // Fails when its connection ends, and removes the partial file.
  stopping.onStop(async () => void (await writing?.catch(() => {})));
  stopping.onStop(() => client.end());
  const readFile = filesOfServer(dataDir, url);
  const databaseFolder = databaseFolderOf(dataDir);
  const source = { client, secrets, version: ownVersion(), migrationsDirectory, readFile, databaseFolder };
  const made = writeBackup(source, { file, passphrase, log });
  writing = made;
  const { rows, tables, bytes } = await made;
  log(`Backed up ${rows} rows of ${tables} tables into ${file} (${bytes} bytes)`);
}

function secretsOf({ authSecret, encryptionKey, encryptionKeyOld }: Settings, dataDir: string): Manifest["secrets"] {
  return {
    authSecret: authSecret ?? requireKeptSecret(join(dataDir, "auth-secret"), "AUTH_SECRET"),
    encryptionKey: encryptionKey ?? requireKeptSecret(join(dataDir, "encryption-key"), "ENCRYPTION_KEY"),
    ...(encryptionKeyOld !== undefined && { encryptionKeyOld }),
  };
}

/** A key that the server generated. Never generated here: a server without a stored key has it in its settings. */
function requireKeptSecret(path: string, name: string): string {
  const secret = keptSecret(path);
  if (secret !== undefined) return secret;
  throw new StartError(`${name} is not set, and there is no ${path}: set ${name} to the server's value`);
}
