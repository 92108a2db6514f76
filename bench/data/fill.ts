import { filledDatabase } from "./filled-database.ts";
import { onPostgres } from "./on-postgres.ts";

/** How many runs the measured databases have, one after the other. */
export const sizes = () => (process.env.BENCH_STORED ?? "10000,100000,1000000").split(",").map(Number);

/** Fills the databases for `stored` and `pages`, kept in the folder named by BENCH_KEEP. */
export async function seedForReuse(): Promise<void> {
  if (!process.env.BENCH_KEEP) throw new Error("BENCH_KEEP must name the folder to keep the databases in");
  await onPostgres(async (serverUrl) => {
    for (const size of sizes()) await filledDatabase(serverUrl, size);
  });
}
