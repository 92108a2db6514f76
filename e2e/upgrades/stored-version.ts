// What a released version stored: `record.ts` makes it, and the upgrade test puts it into a database.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { CopyIn } from "#lib/backup/copy.ts";
import { makeRecord, readMigrations } from "#lib/platform/migrate.ts";
import { projectDirectory } from "../../scripts/places.mjs";

export interface StoredVersion {
  readonly version: string;
  readonly secrets: { readonly AUTH_SECRET: string; readonly ENCRYPTION_KEY: string };
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
  /** A flow that opens a credential, one whose runs wait for a call, and its run that waited. */
  readonly sealed: string;
  readonly waiting: string;
  readonly runId: string;
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  /** Those that others refer to first; `rows` as COPY tells them. */
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: readonly string[];
  }[];
  readonly sequences: readonly { readonly name: string; readonly value: string; readonly isCalled: boolean }[];
}

export function storedVersion(name: string): StoredVersion {
  return JSON.parse(readFileSync(join(import.meta.dirname, "testdata", name), "utf8"));
}

/** Makes an empty database what that version left. Fails when one of its migrations is not here any more as it was. */
export async function restoreInto(client: pg.Client, { migrations, tables, sequences }: StoredVersion): Promise<void> {
  const here = readMigrations(join(projectDirectory, "prisma/migrations"));
  await client.query(makeRecord);
  for (const { name, checksum } of migrations) {
    const migration = here.find((candidate) => candidate.name === name);
    if (migration?.checksum !== checksum) throw new Error(`${name} is not the migration that was released`);
    await client.query(migration.sql);
  }
  for (const { name, columns, rows } of tables) {
    const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
    const copy = client.query(new CopyIn(`COPY ${client.escapeIdentifier(name)} (${list}) FROM STDIN`));
    await pipeline(Readable.from(rows.map((row) => Buffer.from(`${row}\n`))), copy);
  }
  for (const { name, value, isCalled } of sequences) {
    await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [name, value, isCalled]);
  }
}
