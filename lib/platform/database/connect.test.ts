import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { connect, makeDatabase, refuseUnsuitable } from "./connect.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(() => database.drop());

function otherDatabase(name: string): string {
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  return url.href;
}

describe("the first connection", () => {
  test("waits for a database that is not up yet, and logs it once", async () => {
    const lines: string[] = [];
    const closed = "postgresql://a:b@127.0.0.1:1/c";
    await expect(connect(closed, { log: (line) => lines.push(line), msMax: 1200 })).rejects.toThrow(
      "the database 127.0.0.1:1/c cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
    );
    expect(lines).toEqual(["Waiting for the database 127.0.0.1:1/c (connect ECONNREFUSED 127.0.0.1:1)…"]);
  });

  test("waits for a server that closes the connection", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address && typeof address === "object" ? address.port : 0;
    await expect(connect(`postgresql://a:b@127.0.0.1:${port}/c`, { msMax: 600 })).rejects.toThrow("cannot be reached");
    server.close();
  });

  test.each([
    ["a wrong password", (url: URL) => Object.assign(url, { password: "wrong" }), "password authentication failed"],
    ["a database that does not exist", (url: URL) => Object.assign(url, { pathname: "/absent" }), "does not exist"],
  ])("does not wait with %s, and never tells the password", async (_name, change, message) => {
    const lines: string[] = [];
    const url = change(new URL(database.url)).href;
    const error = await connect(url, { log: (line) => lines.push(line) }).catch((reason) => reason);
    expect(lines).toEqual([]);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain(new URL(database.url).password);
  });
});

describe("a database", () => {
  test("is created if missing, and kept if it exists", async () => {
    const url = otherDatabase(`made_${process.pid}`);
    await makeDatabase(url);
    await makeDatabase(url);
    const client = await connect(url);
    await client.end();
    const maintenance = await connect(database.url);
    await maintenance.query(`DROP DATABASE made_${process.pid}`);
    await maintenance.end();
  });

  test("with another encoding is refused", async () => {
    const maintenance = await connect(database.url);
    const name = `latin_${process.pid}`;
    await maintenance.query(
      `CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE 'C' LOCALE_PROVIDER 'libc' TEMPLATE template0`,
    );
    const client = await connect(otherDatabase(name));
    await expect(refuseUnsuitable(client, otherDatabase(name))).rejects.toThrow(
      "has the encoding SQL_ASCII, but needs UTF8",
    );
    await client.end();
    await maintenance.query(`DROP DATABASE ${name}`);
    await maintenance.end();
  });

  test("that meets the requirements is accepted", async () => {
    const client = await connect(database.url);
    await refuseUnsuitable(client, database.url);
    await client.end();
  });
});
