// Finds Millrace's tables in a database, which may have others, and the order in which they can be filled.
import type pg from "pg";
import { BackupError } from "#lib/errors.ts";
import { appliedTo, type Migration } from "#lib/platform/migrate.ts";
import { sealingKey } from "#lib/platform/seal.ts";
import type { Manifest, Sequence, Table } from "./frames.ts";

/** The names of tables and functions created by migrations, including those removed by later ones. */
export function writtenBy(migrations: readonly Migration[]): { tables: Set<string>; functions: Set<string> } {
  const sql = migrations.map((migration) => migration.sql).join("\n");
  const namesAfter = (keyword: string) =>
    new Set([...sql.matchAll(new RegExp(`(?:${keyword}) "?(\\w+)"?`, "gi"))].map(([, name = ""]) => name));
  const tables = namesAfter("CREATE TABLE(?: IF NOT EXISTS)?|RENAME TO");
  return { tables: tables.add("_prisma_migrations"), functions: namesAfter("CREATE(?: OR REPLACE)? FUNCTION") };
}

/** Millrace's tables in this schema, referenced tables first; and the names of all others. */
export async function tablesOf(
  client: pg.Client,
  known: ReadonlySet<string>,
): Promise<{ own: Table[]; others: string[] }> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname::text AS name,
      array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    GROUP BY c.relname ORDER BY c.relname`);
  const references = await client.query<{ from: string; to: string }>(`
    SELECT f.relname::text AS "from", t.relname::text AS "to"
    FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND f.relnamespace = current_schema()::regnamespace`);
  const own = rows.filter(({ name }) => known.has(name));
  const others = rows.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  return { own: referredToFirst(own, references.rows), others };
}

function referredToFirst(tables: readonly Table[], references: readonly { from: string; to: string }[]): Table[] {
  const placed = new Map<string, Table>();
  const place = (table: Table) => {
    if (placed.has(table.name)) return;
    for (const { from, to } of references) {
      const needed = from === table.name ? tables.find(({ name }) => name === to) : undefined;
      if (needed) place(needed);
    }
    placed.set(table.name, table);
  };
  for (const table of tables) place(table);
  return [...placed.values()];
}

/** The sequences of the tables' numbered columns. */
export async function sequencesOf(client: pg.Client, tables: readonly Table[]): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT s.relname::text AS name
     FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i') JOIN pg_class t ON t.oid = d.refobjid
     WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)`,
    [tables.map(({ name }) => name)],
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await client.query(`SELECT last_value::text, is_called FROM ${client.escapeIdentifier(name)}`);
    sequences.push({ name, value: found.rows[0].last_value, isCalled: found.rows[0].is_called });
  }
  return sequences;
}

/** The versions of the keys that seal values in the tables, with the number of values. */
export async function keyVersionsOf(client: pg.Client, tables: readonly Table[]): Promise<Map<number, number>> {
  const sealing = tables.filter(({ columns }) => columns.includes("key_version"));
  if (sealing.length === 0) return new Map();
  const selects = sealing.map(({ name }) => `SELECT key_version FROM ${client.escapeIdentifier(name)}`);
  const { rows } = await client.query<{ version: number; count: number }>(
    `SELECT key_version AS version, count(*)::int AS count FROM (${selects.join(" UNION ALL ")}) AS every GROUP BY 1`,
  );
  return new Map(rows.map(({ version, count }) => [version, count]));
}

/** The versions of the keys in a backup's secrets. */
export function keysIn({ encryptionKey, encryptionKeyOld: old }: Manifest["secrets"]): Set<number> {
  return new Set([encryptionKey, ...(old === undefined ? [] : [old])].map((key) => sealingKey(key).version));
}

/**
 * The number of sealed values that the secrets do not open. Refuses secrets that open none: they belong to another
 * server, and nobody could use the restored values.
 */
export function countUndecryptable(secrets: Manifest["secrets"], used: ReadonlyMap<number, number>): number {
  const keys = keysIn(secrets);
  const lost = [...used].filter(([version]) => !keys.has(version));
  const count = lost.reduce((sum, [, more]) => sum + more, 0);
  if (count === 0 || lost.length < used.size) return count;
  throw new BackupError(
    "ENCRYPTION_KEY opens nothing of what is sealed in the database: set it as the server has it. Where the key is lost, first delete what it sealed: credentials, webhook subscriptions, two-factor sign-ins",
  );
}

/** A note that some values cannot be opened, here or after a restore. */
export function undecryptableNote(count: number): string {
  return `${count} sealed ${count === 1 ? "value was" : "values were"} unreadable already: ENCRYPTION_KEY and ENCRYPTION_KEY_OLD do not open ${count === 1 ? "it" : "them"}`;
}

/** The migrations applied to the database. Refuses a database with unknown ones. */
export async function migrationsOf(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<{ name: string; checksum: string }[]> {
  const applied = await appliedTo(client);
  const names = applied.map(({ migration_name: name, checksum }) => ({ name, checksum }));
  refuseNewer(names, migrations, "The database");
  return names.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Refuses unknown or different migrations. */
export function refuseNewer(
  applied: readonly { name: string; checksum: string }[],
  migrations: readonly Migration[],
  source: string,
): void {
  for (const { name, checksum } of applied) {
    const here = migrations.find((migration) => migration.name === name);
    if (here === undefined) throw new BackupError(`${source} is from a newer Millrace: it has the migration ${name}`);
    if (here.checksum !== checksum) throw new BackupError(`${source} had a different migration ${name}`);
  }
}
