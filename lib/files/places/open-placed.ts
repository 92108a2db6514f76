import { readFromBucket } from "./bucket.ts";
import { type Range, readFromDisk, requireOnDisk } from "./disk.ts";

/** The bytes of a file that is not in the database. Throws SERVICE_UNAVAILABLE before the first one. */
export async function openPlaced(place: "disk" | "bucket", id: string, range?: Range): Promise<AsyncIterable<Buffer>> {
  if (place === "bucket") return await readFromBucket(id, range);
  await requireOnDisk(id);
  return readFromDisk(id, range);
}
