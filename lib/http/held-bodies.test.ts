// However many send slowly, their bodies take a limited part of the memory, and who sends less is not refused.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import { singleton } from "#lib/platform/singleton.ts";
import { HeldBodies, HeldBody, whileHeld } from "./held-bodies.ts";
import { bytesOf, readBytes, receiveBody } from "./read-body.ts";

Object.assign(process.env, {
  DATABASE_URL: "postgresql://localhost/x",
  AUTH_SECRET: "a".repeat(32),
  ENCRYPTION_KEY: "b".repeat(32),
});
// Our own server sets the address.
singleton("server", () => ({ ready: () => {} }));

const limit = 1_000;
const all = singleton("held-bodies", () => new HeldBodies(limit));

/** A body that is being sent from an address. */
class Sending {
  readonly held: HeldBody;
  readonly #stream = new PassThrough();
  state: unknown = "arriving";
  readonly #read: Promise<unknown>;

  constructor(address: string, how: "events" | "chunks") {
    const headers = new Headers({ "x-forwarded-for": address });
    this.held = new HeldBody(headers);
    const reading =
      how === "chunks"
        ? readBytes({ headers, body: this.#stream }, limit, this.held)
        : receiveBody(Object.assign(this.#stream, { headers: {} }) as unknown as IncomingMessage, limit, this.held);
    this.#read = reading.then(
      (bytes) => {
        this.state = bytes.length;
      },
      (error) => {
        this.state = [error.code, error.retryAfterSeconds];
      },
    );
  }

  async send(bytes: number): Promise<this> {
    this.#stream.write(Buffer.alloc(bytes));
    await new Promise((resolve) => setImmediate(resolve));
    return this;
  }

  async end(): Promise<unknown> {
    this.#stream.end();
    await this.#read;
    return this.state;
  }
}

let sent: Sending[] = [];
beforeEach(() => {
  for (const { held } of sent) held.release();
  sent = [];
  expect(all.bytes).toBe(0);
});

const refused = ["SERVICE_UNAVAILABLE", 1];

function begin(address: string, bytes: number, how: "events" | "chunks" = "events"): Promise<Sending> {
  const sending = new Sending(address, how);
  sent.push(sending);
  return sending.send(bytes);
}

test.each(["events", "chunks"] as const)(
  "the body that began first is refused beyond the limit, by %s",
  async (how) => {
    const slow = [await begin("192.0.2.1", 300, how), await begin("192.0.2.1", 300, how)];
    const third = await begin("192.0.2.1", 300, how);
    const fourth = await begin("192.0.2.1", 300, how);
    expect([...slow, third, fourth].map(({ state }) => state)).toEqual([refused, "arriving", "arriving", "arriving"]);
    expect(all.bytes).toBe(900);
    expect(await fourth.end()).toBe(300);
  },
);

test("a sender that takes most is refused, whoever began first, by its network", async () => {
  const other = await begin("198.51.100.7", 200);
  const slow = [await begin("2001:db8::1", 400), await begin("2001:db8::2", 300), await begin("2001:db8::3", 300)];
  expect(slow.map(({ state }) => state)).toEqual([refused, "arriving", "arriving"]);
  expect(await (await other.send(100)).end()).toBe(300);
});

test("a complete body counts until it is parsed, and is not refused", async () => {
  const complete = await begin("192.0.2.1", 600);
  expect(await complete.end()).toBe(600);
  const late = await begin("192.0.2.1", 300);
  const later = await begin("192.0.2.1", 300);
  expect([complete, late, later].map(({ state }) => state)).toEqual([600, refused, "arriving"]);
  complete.held.release();
  expect(all.bytes).toBe(300);
});

test("a body that is passed on as it arrives holds little, and is not refused", async () => {
  const upload = await begin("192.0.2.1", 400);
  const second = await begin("192.0.2.1", 400);
  upload.held.sub(400);
  await upload.send(100);
  await begin("192.0.2.1", 600);
  expect([upload.state, second.state]).toEqual(["arriving", refused]);
});

test.each(["events", "chunks"] as const)("a body whose client leaves is not held any longer, by %s", async (how) => {
  const server = createServer((incoming) => {
    const headers = new Headers();
    const read = async (held: HeldBody) =>
      how === "events"
        ? await receiveBody(incoming, limit, held)
        : await readBytes({ headers, body: bytesOf(incoming) }, limit, held);
    whileHeld({ headers }, read).catch(() => {});
  }).listen(0);
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port);
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n${"x".repeat(300)}`);
  await expect.poll(() => all.bytes).toBe(300);
  client.destroy();
  await expect.poll(() => all.bytes).toBe(0);
  server.close();
});

test("a body alone that exceeds the limit of all is refused", async () => {
  const held = new HeldBody(new Headers());
  const refusals: string[] = [];
  held.add(limit + 1, ({ code }) => refusals.push(code));
  expect(refusals).toEqual(["SERVICE_UNAVAILABLE"]);
  expect(all.bytes).toBe(0);
});
