// A backup of many rows and its restore: seconds, and the largest memory that each of the two processes had.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fillEveryTable, sealedWith } from "#lib/backup/testing/every-table.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { migrate } from "#lib/platform/migrate.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";

/** Megabytes of rows, as COPY writes them. */
const megabytes = Number(process.env.BENCH_MB ?? 1_000);
const bytesOfRun = 100_000;

export async function backupBenchmark(): Promise<void> {
  await onPostgres(async (postgresUrl, directory) => {
    const source = await newDatabase(postgresUrl, "bench_backup");
    const from = performance.now();
    await fillWithRuns(source);
    console.log(`\nFilled in ${Math.round((performance.now() - from) / 1_000)} seconds`);
    const file = join(directory, "bench.backup");
    const rows = {
      backup: await watched("backup", [file], source),
      restore: await watched("restore", [file], await newDatabase(postgresUrl, "bench_restore")),
    };
    console.log(`\n${megabytes} MB of rows, ${Math.round(statSync(file).size / 1e6)} MB as a backup`);
    console.table(rows);
  });
}

/** Runs of random text, each kilobyte ten times: real bodies repeat their keys, too. */
async function fillWithRuns(url: string): Promise<void> {
  const client = await connect(url);
  try {
    await migrate(client, join(projectDirectory, "prisma/migrations"), () => {});
    await fillEveryTable(client, 1);
    await client.query(
      `INSERT INTO execution
       SELECT (jsonb_populate_record(first.run, jsonb_build_object('id', 'exec_' || number, 'trigger', made.text))).*
       FROM (SELECT execution AS run FROM execution LIMIT 1) AS first, generate_series(1, $1) AS number, LATERAL (
         SELECT string_agg(repeat(piece, 10), '') AS text FROM (
           SELECT string_agg(md5(random()::text || part || number), '') AS piece
           FROM generate_series(1, $2) AS part GROUP BY part / 32) AS pieces
       ) AS made`,
      [Math.round((megabytes * 1e6) / bytesOfRun), Math.round(bytesOfRun / 320)],
    );
  } finally {
    await client.end();
  }
}

async function watched(script: string, options: readonly string[], databaseUrl: string) {
  const from = performance.now();
  const starter = spawn(process.execPath, ["scripts/start.mjs", "--run", `scripts/${script}.ts`, ...options], {
    cwd: projectDirectory,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: sealedWith,
      ENCRYPTION_KEY: sealedWith,
      BACKUP_PASSPHRASE: "a passphrase for the benchmark",
    },
  });
  const ended = once(starter, "exit");
  let max = 0;
  const watch = setInterval(() => {
    max = Math.max(max, peakMegabytes(starter));
  }, 200);
  const [code] = await ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`npm run ${script} exited with ${code}`);
  return { seconds: Math.round((performance.now() - from) / 1_000), "MB at most": max };
}

/** The largest resident memory of the process so far; 0 once it has ended. */
function peakMegabytes({ pid }: ChildProcess): number {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Math.round(Number(peak ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
