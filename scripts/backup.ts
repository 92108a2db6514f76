// `npm run backup -- FILE`: everything of an installation in one file, while it runs or not.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Manifest } from "#lib/backup/frames.ts";
import { writeBackup } from "#lib/backup/write-backup.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { readSettings, type Settings, SettingsError } from "#lib/platform/env.ts";
import { secretFile } from "#lib/platform/secret-files.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";
import { embeddedDatabase, fileNamed, migrationsDirectory, ownVersion, passphraseOf } from "./server/backup-place.ts";
import { refuseUnfinishedRestore } from "./server/data-directory.ts";
import { Stopping } from "./server/stopping.ts";

const say = (line: string) => console.log(line);
const stopping = new Stopping(say, { isService: false });
try {
  await backUp();
  await stopping.end();
} catch (error) {
  await stopping.fail(error);
}

async function backUp(): Promise<void> {
  loadDotEnv(projectDirectory);
  const [name, ...more] = process.argv.slice(2);
  if (name === undefined || name.startsWith("-") || more.length > 0)
    throw new SettingsError(["npm run backup -- FILE"]);
  const file = fileNamed(name);
  const settings = readSettings(process.env);
  const dataDir = resolve(projectDirectory, settings.dataDir);
  if (settings.databaseUrl === undefined) refuseUnfinishedRestore(dataDir);
  const passphrase = await passphraseOf(settings, { isNew: true });
  const url = settings.databaseUrl ?? (await embeddedDatabase(dataDir, stopping, { mayMake: false, say }));
  const client = await connect(url, { say });
  stopping.onStop(() => rmSync(`${file}.unfinished`, { force: true }));
  stopping.onStop(() => client.end());
  const source = { client, secrets: secretsOf(settings, dataDir), version: ownVersion(), migrationsDirectory };
  const { rows, tables, bytes } = await writeBackup(source, { file, passphrase, say });
  say(`Backed up ${rows} rows of ${tables} tables into ${file} (${bytes} bytes)`);
}

function secretsOf({ authSecret, encryptionKey, encryptionKeyOld }: Settings, dataDir: string): Manifest["secrets"] {
  return {
    authSecret: authSecret ?? secretFile(join(dataDir, "auth-secret")),
    encryptionKey: encryptionKey ?? secretFile(join(dataDir, "encryption-key")),
    ...(encryptionKeyOld !== undefined && { encryptionKeyOld }),
  };
}
