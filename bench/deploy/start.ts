// Seconds until `npm start` serves, when everything is installed and built.
import { startServer } from "../../e2e/support/server.ts";
import { temporaryDirectory } from "../../e2e/support/temporary-directory.ts";

const times = 3;

export async function startBenchmark(): Promise<void> {
  const dataDir = temporaryDirectory();
  await (await startServer({ dataDir })).stop();
  const seconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    const server = await startServer({ dataDir });
    seconds.push((performance.now() - startedAt) / 1_000);
    await server.stop();
  }
  console.log("\n`npm start`, again: seconds until it serves");
  console.table(seconds.map((taken) => ({ seconds: Number(taken.toFixed(2)) })));
}
