// Parsing waits for memory: a few values that arrive together must not end the process.
import { beforeEach, expect, test, vi } from "vitest";
import { NoMemory, ParseRoom, valueBytes } from "./parse-room.ts";

/** The heap of a process: what is in use, of 100. */
let inUse = 0;
let now = 0;
let room: ParseRoom;
let begun: string[] = [];
const ends = new Map<string, () => void>();

beforeEach(() => {
  vi.useFakeTimers();
  [inUse, now, begun] = [20, 0, []];
  ends.clear();
  room = new ParseRoom(
    (bytes) => (inUse + bytes) / 100,
    () => now,
  );
  return () => vi.useRealTimers();
});

const settled = () => vi.advanceTimersByTimeAsync(0);

function parse(name: string, bytes: number): Promise<unknown> {
  return room.during(bytes, () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  });
}

/** The value is parsed, and in use from now on. */
async function end(name: string, bytes: number): Promise<void> {
  inUse += bytes;
  ends.get(name)?.();
  await settled();
}

async function later(ms: number): Promise<void> {
  now += ms;
  await vi.advanceTimersByTimeAsync(100);
}

test("what is being parsed counts, and waits until memory is free; smaller values pass", async () => {
  for (const name of ["a", "b", "c"]) void parse(name, 25);
  await settled();
  expect(begun).toEqual(["a", "b"]);
  await end("a", 25);
  await end("b", 25);
  void parse("small", 0);
  await later(1_000);
  expect(begun).toEqual(["a", "b", "small"]);
  inUse = 20;
  await later(100);
  expect(begun).toEqual(["a", "b", "small", "c"]);
});

test("what has waited for long is parsed alone, though it seems that there is little memory", async () => {
  inUse = 60;
  void parse("first", 20);
  void parse("second", 20);
  await later(4_999);
  expect(begun).toEqual([]);
  await later(1);
  expect(begun).toEqual(["first"]);
  await end("first", 0);
  expect(begun).toEqual(["first", "second"]);
});

test("nothing passes what has waited for long", async () => {
  void parse("running", 40);
  void parse("large", 60);
  await later(5_000);
  void parse("small", 1);
  await later(1_000);
  expect(begun).toEqual(["running"]);
  await end("running", 0);
  expect(begun[1]).toBe("large");
});

test("it is refused if it would end the process, and the next is not", async () => {
  inUse = 75;
  const refused = parse("large", 20).catch((error) => error);
  void parse("small", 1);
  await later(5_000);
  expect(await refused).toBeInstanceOf(NoMemory);
  expect(begun).toEqual(["small"]);
});

test("once hardly any memory is left, even small values wait", () => {
  inUse = 80;
  expect(room.isFull).toBe(false);
  inUse = 81;
  now += 4;
  expect(room.isFull).toBe(false);
  now += 1;
  expect(room.isFull).toBe(true);
  inUse = 60;
  now += 5;
  expect(room.isFull).toBe(false);
});

test("parsing that fails gives its memory back, and nothing keeps the process alive", async () => {
  await expect(room.during(50, () => Promise.reject(new SyntaxError("no")))).rejects.toThrow("no");
  void parse("next", 50);
  await settled();
  expect(begun).toEqual(["next"]);
  void parse("waiting", 50);
  await end("next", 0);
  expect(begun).toEqual(["next", "waiting"]);
  await end("waiting", 0);
  expect(vi.getTimerCount()).toBe(0);
});

test("the memory of a value is estimated by what its text has", () => {
  const megabyte = (text: string) => text.repeat(Math.floor(1_000_000 / text.length));
  expect(valueBytes(`[${megabyte("{},")}{}]`)).toBeGreaterThan(22_000_000);
  expect(valueBytes(`[${megabyte("{},")}{}]`)).toBeLessThan(35_000_000);
  expect(valueBytes(`{${megabyte('"key1":1,')}"a":1}`)).toBeGreaterThan(7_000_000);
  expect(valueBytes(`["${megabyte("a")}"]`)).toBeLessThan(2_500_000);
  expect(valueBytes("[{},{}]")).toBe(210);
});
