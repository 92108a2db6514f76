// Compares the tables of the hand-written migrations with schema.prisma.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { connect } from "./database/connect.ts";

const scalarTypes: Record<string, string> = {
  String: "text",
  Int: "integer",
  BigInt: "bigint",
  Boolean: "boolean",
  Float: "double precision",
  Bytes: "bytea",
  Json: "jsonb",
  DateTime: "timestamp(3) without time zone",
};
const nativeTypes: [RegExp, (bound: string | undefined) => string][] = [
  [/@db\.Timestamptz\((\d)\)/, (precision) => `timestamp(${precision}) with time zone`],
  [/@db\.Date\b/, () => "date"],
  [/@db\.VarChar\((\d+)\)/, (length) => `character varying(${length})`],
  [/@db\.SmallInt\b/, () => "smallint"],
  [/@db\.Uuid\b/, () => "uuid"],
];

type Model = { table: string; fields: Field[]; attributes: string[] };
type Field = { name: string; column: string; type: string; suffix: string; attributes: string };

const models = [...readFileSync(resolve("prisma/schema.prisma"), "utf8").matchAll(/^model (\w+) \{\n(.*?)\n\}/gms)].map(
  ([, name = "", body = ""]) => modelOf(name, body),
);

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = await connect(database.url);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test("every table of the schema exists, and no other", async () => {
  const { rows } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
  );
  expect(rows.map((row) => row.tablename)).toEqual(models.map((model) => model.table).sort());
});

test.each(models)("$table has the columns of its model", async (model) => {
  const { rows } = await client.query<{ line: string }>(
    `SELECT attname || ' ' || format_type(atttypid, atttypmod)
       || CASE WHEN attnotnull OR attndims > 0 THEN '' ELSE ' null' END
       || CASE WHEN attgenerated = '' THEN coalesce(' default ' || pg_get_expr(adbin, adrelid), '') ELSE '' END AS line
     FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [`"${model.table}"`],
  );
  expect(rows.map((row) => row.line).sort()).toEqual(
    columnsOf(model)
      .map((field) => columnLine(model, field))
      .sort(),
  );
});

test.each(models)("$table has the keys and indexes of its model", async (model) => {
  const { rows } = await client.query<{ line: string }>(
    `SELECT CASE WHEN indisprimary THEN 'primary' WHEN indisunique THEN 'unique' ELSE 'index' END || ' ' ||
       (SELECT string_agg(attname, ',' ORDER BY place) FROM unnest(indkey::int2[]) WITH ORDINALITY AS key(number, place)
        JOIN pg_attribute ON attrelid = indrelid AND attnum = number) AS line
     FROM pg_index WHERE indrelid = $1::regclass AND indpred IS NULL AND indexprs IS NULL`,
    [`"${model.table}"`],
  );
  expect(rows.map((row) => row.line).sort()).toEqual(indexesOf(model).sort());
});

test.each(models)("$table has the foreign keys of its model", async (model) => {
  const { rows } = await client.query<{ line: string }>(
    "SELECT pg_get_constraintdef(oid) AS line FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'f'",
    [`"${model.table}"`],
  );
  expect(rows.map((row) => row.line.replaceAll('"', "")).sort()).toEqual(foreignKeysOf(model).sort());
});

function modelOf(name: string, body: string): Model {
  const lines = body.split("\n").map((line) => line.replace(/\/\/.*/, "").trim());
  const attributes = lines.filter((line) => line.startsWith("@@"));
  const fields = lines.flatMap((line) => {
    const [, field = "", type = "", suffix = "", rest = ""] = /^(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/.exec(line) ?? [];
    return field ? [{ name: field, column: mapped(rest) ?? field, type, suffix, attributes: rest }] : [];
  });
  return { table: mapped(attributes.find((line) => line.startsWith("@@map")) ?? "") ?? name, fields, attributes };
}

function mapped(attributes: string): string | undefined {
  return /@map\("([^"]+)"\)/.exec(attributes)?.[1];
}

/** The fields that are columns; the others are relations. */
function columnsOf(model: Model): Field[] {
  return model.fields.filter((field) => field.type in scalarTypes);
}

function columnLine(model: Model, { column, type, suffix, attributes }: Field): string {
  const native = nativeTypes.flatMap(([pattern, write]) => {
    const match = pattern.exec(attributes);
    return match ? [write(match[1])] : [];
  })[0];
  const sqlType = `${native ?? scalarTypes[type]}${suffix === "[]" ? "[]" : ""}`;
  return `${column} ${sqlType}${suffix === "?" ? " null" : ""}${defaultOf(model, column, attributes)}`;
}

function defaultOf(model: Model, column: string, attributes: string): string {
  const generated = /@default\(dbgenerated\("(.*?)"\)\)/.exec(attributes)?.[1];
  if (generated !== undefined) return ` default ${generated}`;
  const value = /@default\((.*?(?:\(\))?)\)/.exec(attributes)?.[1];
  if (value === undefined) return "";
  if (value === "now()") return " default CURRENT_TIMESTAMP";
  if (value === "autoincrement()") return ` default nextval('${model.table}_${column}_seq'::regclass)`;
  return ` default ${value}`;
}

function indexesOf(model: Model): string[] {
  const columns = (names: string) => names.split(",").map((name) => columnOf(model, name.trim()));
  const kinds = { "@id": "primary", "@unique": "unique", "@@id": "primary", "@@unique": "unique", "@@index": "index" };
  const ofFields = model.fields.flatMap((field) =>
    (["@id", "@unique"] as const).flatMap((kind) =>
      new RegExp(`${kind}\\b`).test(field.attributes) ? [`${kinds[kind]} ${field.column}`] : [],
    ),
  );
  const ofModel = model.attributes.flatMap((attribute) => {
    const [, kind = "", names = ""] = /^(@@\w+)\(\[([^\]]*)\]/.exec(attribute) ?? [];
    return kind in kinds ? [`${kinds[kind as keyof typeof kinds]} ${columns(names).join(",")}`] : [];
  });
  return [...ofFields, ...ofModel];
}

function foreignKeysOf(model: Model): string[] {
  return model.fields.flatMap(({ type, attributes }) => {
    const [, from = "", to = "", onDelete] =
      /@relation\(fields: \[(.*?)\], references: \[(.*?)\](?:, onDelete: (\w+))?/.exec(attributes) ?? [];
    if (!from) return [];
    const target = modelNamed(type);
    const action = onDelete === "Cascade" ? "CASCADE" : onDelete === "SetNull" ? "SET NULL" : "RESTRICT";
    const key = `FOREIGN KEY (${columnOf(model, from)}) REFERENCES ${target.table}(${columnOf(target, to)})`;
    return [`${key} ON UPDATE CASCADE ON DELETE ${action}`];
  });
}

function modelNamed(type: string): Model {
  const table = type.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  const found = models.find((model) => model.table === table);
  if (!found) throw new Error(`No model for ${type}`);
  return found;
}

function columnOf(model: Model, name: string): string {
  const field = model.fields.find((candidate) => candidate.name === name);
  if (!field) throw new Error(`${model.table} has no field ${name}`);
  return field.column;
}
