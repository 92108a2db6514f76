// Fills every table of a database with rows, whatever its tables, and fingerprints databases.
import type pg from "pg";
import { sealingKey } from "#lib/platform/seal.ts";

type Column = { table: string; name: string; type: string };
type Reference = { table: string; column: string; toTable: string; toColumn: string };

/** The key that seals the rows' sealed values. */
export const sealedWith = "k".repeat(32);

/** Text that is hard to represent in COPY's format, and JSON that PostgreSQL can only hold as text. */
const awkward = ' \t\r\n\\N\n\\.\n\\\\ "é 😀 \\ud800 \\u0000" {"executionId":"exec_1"} \'\u0007';

/** Inserts rows into all tables of the schema, with every column filled, including foreign keys. */
export async function fillEveryTable(client: pg.Client, rows = 3): Promise<void> {
  const { rows: columns } = await client.query<Column>(`
    SELECT table_name AS table, column_name AS name, udt_name AS type FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_generated = 'NEVER' AND coalesce(column_default, '') NOT LIKE 'nextval%'
      AND table_name <> '_prisma_migrations'
    ORDER BY table_name, ordinal_position`);
  const { rows: references } = await client.query<Reference>(`
    SELECT f.relname AS table, fa.attname AS column, t.relname AS "toTable", ta.attname AS "toColumn"
    FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
      JOIN pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = k.conkey[1]
      JOIN pg_attribute ta ON ta.attrelid = t.oid AND ta.attnum = k.confkey[1]
    WHERE k.contype = 'f' AND f.relnamespace = current_schema()::regnamespace`);
  /** The column where a foreign key's values originate: references may be chained. */
  const originOf = (table: string, column: string): Reference | undefined => {
    const to = references.find((reference) => reference.table === table && reference.column === column);
    return to && (originOf(to.toTable, to.toColumn) ?? to);
  };
  const filled = new Set<string>();
  const fill = async (table: string): Promise<void> => {
    if (filled.has(table)) return;
    filled.add(table);
    for (const reference of references) if (reference.table === table) await fill(reference.toTable);
    const own = columns.filter((column) => column.table === table);
    const names = own.map(({ name }) => client.escapeIdentifier(name));
    const places = own.map((_, index) => `$${index + 1}`);
    for (let row = 1; row <= rows; row++) {
      const values = own.map(({ name, type }) => {
        const to = originOf(table, name);
        // Rows of such a table number themselves.
        const isNumbered = to && !columns.some((column) => column.table === to.toTable && column.name === to.toColumn);
        if (isNumbered) return row;
        return sampleOf(type, to ? `${to.toTable}.${to.toColumn}` : `${table}.${name}`, row);
      });
      await client.query(`INSERT INTO "${table}" (${names.join(", ")}) VALUES (${places.join(", ")})`, values);
    }
  };
  for (const { table } of columns) await fill(table);
}

function sampleOf(type: string, place: string, row: number): unknown {
  if (place.endsWith(".kind")) return "execution"; // A generated column depends on it.
  if (place.endsWith(".key_version")) return sealingKey(sealedWith).version;
  const values: Record<string, unknown> = {
    text: `${place} ${row}${awkward}`,
    _text: [`${place} ${row}`, awkward, "NULL", ""],
    int4: row,
    int8: `900719925474099${row}`,
    bool: row % 2 === 0,
    date: row === 1 ? "-infinity" : `2026-11-0${row}`,
    timestamptz: `2026-11-0${row}T01:02:03.004Z`,
    jsonb: JSON.stringify({ 1: `${place} ${row}${awkward}`, 2: row }),
    bytea: Buffer.from([0, 255, row, 92, 10]),
    uuid: `00000000-0000-4000-8000-00000000000${row}`,
  };
  if (!(type in values)) throw new Error(`${place} has the type ${type}: say what a value of it is`);
  return values[type];
}

/** Every table's row count and checksum, and every sequence and index. */
export async function fingerprintOf(client: pg.Client): Promise<Record<string, unknown>> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(
      `SELECT count(*)::int AS rows, md5(string_agg(t::text, '|' ORDER BY t::text COLLATE "C")) AS sum FROM "${name}" t`,
    );
    found[name] = rows[0];
  }
  const { rows: sequences } = await client.query(
    "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1",
  );
  const { rows: indexes } = await client.query(
    "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1",
  );
  const { rows: constraints } = await client.query(
    `SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );
  return { ...found, sequences, indexes, constraints };
}
