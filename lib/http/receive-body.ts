import type { IncomingMessage } from "node:http";
import { bodyTooLarge } from "./read-body.ts";

/**
 * The bytes that Node's own server receives, counted while they arrive. Events, not the stream's iterator: most bodies
 * are one piece that is there already. What is over the limit is not read, and the connection stays, for the answer is
 * still to be sent. Throws PAYLOAD_TOO_LARGE.
 */
export function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(bodyTooLarge(bytesMax));
    if (Number(request.headers["content-length"] ?? 0) > bytesMax) {
      refuse();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      request.off("data", take).pause();
      refuse();
    };
    const finish = () => resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks));
    request.on("data", take).on("end", finish).on("error", reject);
  });
}
