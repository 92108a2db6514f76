import { randomInt } from "node:crypto";
import { singleton } from "#lib/platform/singleton.ts";

const free = () => singleton<number[]>("rollup-shards", () => []);

/** Lends a shard of the rollups that no other statement is writing to, so that none waits for another's row. */
export async function withShard<T>(work: (shard: number) => Promise<T>): Promise<T> {
  const shard = free().pop() ?? randomInt(1, 2 ** 31 - 1);
  try {
    return await work(shard);
  } finally {
    free().push(shard);
  }
}
