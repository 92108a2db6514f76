import { expect, test } from "vitest";
import { ReceivedBytes } from "./received-bytes.ts";

/** Bytes that show when their order changes. */
const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));

function received(sizes: readonly number[]): ReceivedBytes {
  const all = new ReceivedBytes();
  let from = 0;
  for (let turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    all.add(bytes.subarray(from, from + size));
    from += size;
  }
  return all;
}

test.each([[[1]], [[7, 16_384]], [[16_383, 2]], [[40_000, 1, 1]], [[200_000]], [[16_384]]])(
  "chunks of %j bytes are joined in order",
  (sizes) => {
    const all = received(sizes);
    expect(all.size).toBe(bytes.length);
    expect(all.whole().equals(bytes)).toBe(true);
  },
);

test("chunks of one byte take no more pieces than large ones", () => {
  expect(received([1]).partCount).toBeLessThan(20);
});

test("a single chunk is not copied, and none is an empty buffer", () => {
  const all = new ReceivedBytes();
  expect(all.whole()).toHaveLength(0);
  all.add(bytes);
  expect(all.whole()).toBe(bytes);
});
