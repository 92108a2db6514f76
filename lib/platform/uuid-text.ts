import { randomFillSync } from "node:crypto";

/** Crockford's base 32, as TypeIDs have it. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const uuidBytes = 16;
const timeBytes = 6;
const uuidsAtOnce = 256;

/** Random bytes are got for many ids at once: to ask for sixteen costs as much as to ask for thousands. */
const pool = Buffer.alloc(uuidBytes * uuidsAtOnce);
let used = pool.length;

let lastMs = 0;
let sequence = 0;
/** What the twelve bits behind the time can count to. */
const sequenceMax = 0xfff;
const firstSequenceMax = 0x3ff;

/**
 * A new UUID of version 7 in the 26 characters of a TypeID. Those of one process sort in the order of their making: within
 * a millisecond the bits behind the time count up from a random number, and run ahead of the clock when they are used up.
 */
export function newUuidText(nowMs = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + uuidBytes);
  used += uuidBytes;
  const { ms, count } = nextPlace(nowMs, bytes.readUInt16BE(timeBytes) & firstSequenceMax);
  bytes.writeUIntBE(ms, 0, timeBytes);
  bytes.writeUInt16BE(0x7000 | count, timeBytes);
  bytes.writeUInt8((bytes.readUInt8(timeBytes + 2) & 0x3f) | 0x80, timeBytes + 2);
  return inBase32(bytes);
}

function nextPlace(nowMs: number, start: number): { ms: number; count: number } {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = start;
  } else if (sequence < sequenceMax) {
    sequence += 1;
  } else {
    lastMs += 1;
    sequence = start;
  }
  return { ms: lastMs, count: sequence };
}

/** 128 bits are 26 characters of five with two zeros in front. */
function inBase32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let count = 2;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; ) {
      count -= 5;
      text += alphabet[(bits >> count) & 0x1f];
    }
    bits &= (1 << count) - 1;
  }
  return text;
}
