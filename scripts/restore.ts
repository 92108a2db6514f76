// `npm run restore -- FILE`: restores a backup into the configured database, embedded or not. `--check` only reads the
// file, `--show-secrets` prints its keys, `--replace` deletes existing data.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Manifest } from "#lib/backup/frames.ts";
import {
  type Contents,
  checkBackup,
  contentsOf,
  refuseOtherKeys,
  refuseUnknown,
  restoreInto,
} from "#lib/backup/restore-backup.ts";
import { undecryptableNote } from "#lib/backup/tables.ts";
import { BackupError } from "#lib/errors.ts";
import { connect, makeDatabase, refuseUnsuitable } from "#lib/platform/database/connect.ts";
import { readSettings, type Settings, SettingsError } from "#lib/platform/env.ts";
import { dropReplacedSecret, replaceSecret } from "#lib/platform/secret-files.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";
import { databaseFolderOf, filesForServer } from "./server/backup-files.ts";
import { embeddedDatabase, fileNamed, migrationsDirectory, passphraseOf } from "./server/backup-place.ts";
import { markRestore } from "./server/data-directory.ts";
import { migrateDatabase } from "./server/database.ts";
import { Stopping } from "./server/stopping.ts";

const usage = "npm run restore -- FILE [--check | --show-secrets | --replace]";

/** Where the server keeps generated secrets. */
const secretFiles = ["auth-secret", "encryption-key"] as const;
const log = (line: string) => console.log(line);
const stopping = new Stopping(log, { isService: false });
try {
  await restore();
  await stopping.end();
} catch (error) {
  await stopping.fail(error);
}

async function restore(): Promise<void> {
  loadDotEnv(projectDirectory);
  const { file, options } = requestedOptions();
  const settings = readSettings(process.env);
  const passphrase = await passphraseOf(settings, { isNew: false });
  if (!options["show-secrets"]) log(`Checking ${file}…`);
  const contents = await checkBackup(file, passphrase);
  const { manifest, rows } = contents;
  if (options["show-secrets"]) return showSecrets(manifest);
  refuseUnknown(manifest, migrationsDirectory);
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
  const { version, createdAt } = manifest;
  log(`It is complete: ${total} rows of ${rows.size} tables, of version ${version}, made at ${createdAt}`);
  if (manifest.unopened > 0) log(undecryptableNote(manifest.unopened));
  if (options.check) return warnOfWrongKeys(settings, manifest);
  refuseWrongKeys(settings, manifest);
  await restoreTo(settings, { file, contents, mayReplace: options.replace === true });
}

function requestedOptions() {
  try {
    const flag = { type: "boolean" } as const;
    const options = { check: flag, "show-secrets": flag, replace: flag };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) throw new SettingsError([usage]);
    return { file: fileNamed(name), options: values };
  } catch {
    throw new SettingsError([usage]);
  }
}

function showSecrets({ secrets: { authSecret, encryptionKey, encryptionKeyOld } }: Manifest): void {
  log(`AUTH_SECRET=${authSecret}\nENCRYPTION_KEY=${encryptionKey}`);
  if (encryptionKeyOld !== undefined) log(`ENCRYPTION_KEY_OLD=${encryptionKeyOld}`);
}

/**
 * Configured keys must match the backup's. With the embedded database, keys that are not configured are taken from it.
 */
function refuseWrongKeys({ authSecret, encryptionKey, encryptionKeyOld: old }: Settings, manifest: Manifest): void {
  const { secrets } = manifest;
  const key = encryptionKey ?? secrets.encryptionKey;
  refuseOtherKeys(manifest, old === undefined ? [key] : [key, old]);
  if (authSecret !== undefined && authSecret !== secrets.authSecret) {
    log(
      "AUTH_SECRET is not that of the backup: everyone has to sign in again, and resume URLs already sent stop working",
    );
  }
}

/** The file is valid whatever the settings are: a check reports what a restore would refuse, and passes. */
function warnOfWrongKeys(settings: Settings, manifest: Manifest): void {
  try {
    refuseWrongKeys(settings, manifest);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    log(`With the current settings, a restore would be refused: ${error.message}`);
  }
}

type Work = { file: string; contents: Contents; mayReplace: boolean };

async function restoreTo(settings: Settings, { mayReplace, ...work }: Work): Promise<void> {
  const isEmbedded = settings.databaseUrl === undefined;
  const dataDir = resolve(projectDirectory, settings.dataDir);
  const url = settings.databaseUrl ?? (await embeddedDatabase(dataDir, stopping, { mayMake: true, say: log }));
  if (isEmbedded) await makeDatabase(url);
  const client = await connect(url, { log });
  stopping.onStop(() => client.end());
  await refuseUnsuitable(client, url);
  const place = isEmbedded ? `DATA_DIR ${dataDir}` : `the database ${new URL(url).host}${new URL(url).pathname}`;
  const held = await contentsOf(client, migrationsDirectory);
  if (held !== undefined) {
    const of = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
    const contents = `${of(held.workspaces, "workspace")}, ${of(held.flows, "flow")} and ${of(held.runs, "run")}`;
    if (!mayReplace) {
      throw new BackupError(
        `${place} holds ${contents}: restore into an empty one, or add --replace, which deletes them`,
      );
    }
    log(`Deleting ${contents} of ${place}, and everything that belongs to them…`);
  }
  log(`Restoring into ${place}…`);
  let mark: ReturnType<typeof markRestore> | undefined;
  const [keepFile, databaseFolder] = [filesForServer(dataDir, url), databaseFolderOf(dataDir)];
  await restoreInto(client, { ...work, migrationsDirectory, keepFile, databaseFolder }, () => {
    if (!isEmbedded) return;
    mark = markRestore(dataDir);
    keepSecrets(settings, work.contents.manifest, dataDir);
  });
  if (isEmbedded) for (const name of secretFiles) dropReplacedSecret(join(dataDir, name));
  mark?.done();
  await migrateDatabase(url, log);
  log("Restored");
}

/** Generated secrets go where the server keeps them. */
function keepSecrets({ authSecret, encryptionKey }: Settings, { secrets }: Manifest, dataDir: string): void {
  const [authSecretFile, encryptionKeyFile] = secretFiles;
  if (authSecret === undefined) replaceSecret(join(dataDir, authSecretFile), secrets.authSecret);
  if (encryptionKey === undefined) replaceSecret(join(dataDir, encryptionKeyFile), secrets.encryptionKey);
}
