import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NameResolver } from "./resolve-name.ts";

const [typeA, headBytes] = [1, 12];
const asked: string[] = [];
let server: Socket;
let servers: string[];

/** The name in a query, and the end of its question. */
function questionOf(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headBytes;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join("."), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

/** DNS's answers without an address: the server failed (SERVFAIL), and there is no such name (NXDOMAIN). */
const [failed, missing] = [2, 3];

/** An answer with these IPv4 addresses; without any, `refusal`. */
function answerTo(packet: Buffer, end: number, addresses: readonly string[], refusal: number): Buffer {
  const head = Buffer.from(packet.subarray(0, headBytes));
  head.writeUInt16BE(0x8180 + (addresses.length > 0 ? 0 : refusal), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, headBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([head, packet.subarray(headBytes, end), ...records]);
}

beforeAll(async () => {
  server = createSocket("udp4");
  server.on("message", (packet, { port, address }) => {
    const { name, type, end } = questionOf(packet);
    asked.push(name);
    if (name.startsWith("silent")) return;
    const isFound = name.startsWith("there") || name === "api.shop.svc.cluster.example";
    const found = isFound && type === typeA ? ["192.0.2.1", "192.0.2.2"] : [];
    const refusal = name.endsWith(".broken.example") ? failed : missing;
    server.send(answerTo(packet, end, found, refusal), port, address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => server.close());

describe.skipIf(process.platform !== "linux")("a name", () => {
  test("whose server never answers keeps no other waiting, and fails", async () => {
    const resolver = new NameResolver({ servers });
    const silent = Array.from({ length: 40 }, (_, index) => resolver.resolve(`silent${index}.example`));
    const ended = Promise.allSettled(silent);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const others = Array.from({ length: 20 }, (_, index) => resolver.resolve(`there${index}.example`));
    for (const found of await Promise.all(others)) expect(found).toEqual(["192.0.2.1", "192.0.2.2"]);
    // Short names are the system's: it is free as well.
    expect(await resolver.resolve("localhost")).toContain("127.0.0.1");
    expect(isOver).toBe(false);
    for (const { status } of await ended) expect(status).toBe("rejected");
  });

  test("in /etc/hosts has the addresses there, however it is written, and is not asked for", async () => {
    const hostsFile = join(mkdtempSync(join(tmpdir(), "hosts-")), "hosts");
    writeFileSync(
      hostsFile,
      "# there.example is elsewhere\n10.0.0.1\tThere.Example db.example # ours\n::1 there.example\n",
    );
    const resolver = new NameResolver({ servers, hostsFile });
    asked.splice(0);
    expect(await resolver.resolve("there.EXAMPLE")).toEqual(["10.0.0.1", "::1"]);
    expect(await resolver.resolve("db.example")).toEqual(["10.0.0.1"]);
    expect(asked).toEqual([]);
    writeFileSync(hostsFile, "10.0.0.2 db.example\n");
    utimesSync(hostsFile, new Date(), new Date(0));
    expect(await resolver.resolve("db.example")).toEqual(["10.0.0.2"]);
    expect(await resolver.resolve("there.example")).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("with fewer dots than the system asks for is looked for in its search domains first", async () => {
    const settingsFile = join(mkdtempSync(join(tmpdir(), "names-")), "resolv.conf");
    writeFileSync(
      settingsFile,
      "search old.example\nsearch shop.svc.cluster.example svc.cluster.example\noptions rotate ndots:3\n",
    );
    const resolver = new NameResolver({ servers, hostsFile: "/nowhere", settingsFile });
    asked.splice(0);
    expect(await resolver.resolve("api.shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
    expect([...new Set(asked)]).toEqual(["api.shop.shop.svc.cluster.example", "api.shop.svc.cluster.example"]);
    for (const complete of ["there.a.b.example", "there.example."]) {
      asked.splice(0);
      expect(await resolver.resolve(complete)).toHaveLength(2);
      expect(new Set(asked).size).toBe(1);
    }
  });

  test("is looked for in the next search domain if a domain's name server fails", async () => {
    const settingsFile = join(mkdtempSync(join(tmpdir(), "names-")), "resolv.conf");
    writeFileSync(settingsFile, "search broken.example svc.cluster.example\noptions ndots:3\n");
    const resolver = new NameResolver({ servers, hostsFile: "/nowhere", settingsFile });
    expect(await resolver.resolve("api.shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
    // It may be there: the failure is reported, and the system's resolver would only wait for it again.
    await expect(resolver.resolve("gone.invalid")).rejects.toMatchObject({ code: "ESERVFAIL" });
  });

  test("that DNS does not have is looked for by the system", async () => {
    const resolver = new NameResolver({ servers, hostsFile: "/nowhere" });
    await expect(resolver.resolve("gone.invalid")).rejects.toMatchObject({ syscall: "getaddrinfo" });
  });
});
