// Copies a sleeping run and a flow with a schedule within the database.
import type { Client } from "pg";

/** Inserts copies of a row; `own` gives the columns that differ, in terms of `number`. */
async function copyRows(
  database: Client,
  table: string,
  { where, own, count }: { where: string; own: Record<string, string>; count: number },
): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => own[name] ?? name);
  await database.query(
    `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")}
     FROM ${table} AS made, generate_series(1, ${count}) AS number WHERE ${where}`,
  );
}

const numbered = (prefix: string) => `'${prefix}_' || lpad(number::text, 26, '0')`;

/** Copies a run that waits, with its nodes and waits. */
export async function cloneRun(database: Client, executionId: string, count: number): Promise<void> {
  await copyRows(database, "execution", {
    where: `id = '${executionId}'`,
    own: { id: numbered("exec") },
    count,
  });
  for (const table of ["node_execution", "execution_wait"]) {
    const own = { execution_id: numbered("exec") };
    await copyRows(database, table, { where: `execution_id = '${executionId}'`, own, count });
  }
}

/** Copies an active flow with its version and its schedule. */
export async function cloneFlows(database: Client, flowId: string, count: number): Promise<void> {
  const id = numbered("flow");
  await copyRows(database, "flow", { where: `id = '${flowId}'`, own: { id, hook_id: numbered("hook") }, count });
  for (const table of ["flow_version", "flow_schedule"]) {
    await copyRows(database, table, { where: `flow_id = '${flowId}'`, own: { flow_id: id }, count });
  }
}

/** Makes everything due at times spread over this many seconds, after a lead; returns the first of them. */
export async function wakeAll(database: Client, leadSeconds: number, seconds: number): Promise<Date> {
  await database.query(`
    CREATE TABLE bench_due AS
    SELECT id, date_trunc('milliseconds', now() + interval '${leadSeconds} seconds' + random() * interval '${seconds} seconds') AS due
    FROM (SELECT id FROM execution WHERE id LIKE 'exec_0000%'
      UNION ALL SELECT flow_id FROM flow_schedule WHERE flow_id LIKE 'flow_0000%') AS all_of_them;
    ALTER TABLE bench_due ADD PRIMARY KEY (id);
    UPDATE execution_wait w SET until = d.due FROM bench_due d WHERE d.id = w.execution_id;
    UPDATE bench_due SET due = date_trunc('second', due) WHERE id LIKE 'flow_%';
    UPDATE flow_schedule s SET next_run_at = d.due, cron = to_char(d.due AT TIME ZONE 'UTC', 'FMSS FMMI FMHH24 FMDD FMMM *')
    FROM bench_due d WHERE d.id = s.flow_id;
    UPDATE execution e SET wake_at = d.due FROM bench_due d WHERE d.id = e.id;
  `);
  const { rows } = await database.query<{ first: Date }>("SELECT min(due) AS first FROM bench_due");
  return rows[0]?.first ?? new Date();
}
