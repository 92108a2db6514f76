// Recognizable secrets, and the search for them in whatever a server reveals.
import { connect } from "#lib/platform/database/connect.ts";

/** Every likely way to write a secret, and its beginning alone. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // The middle part, without characters shared with neighbouring text.
    const own = text.slice(offset === 0 ? 0 : offset + 1, -4);
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString("hex");
  return [
    ...new Set([
      ...[secret, json, JSON.stringify(json).slice(1, -1), secret.slice(0, 10)],
      ...[encodeURIComponent(secret), new URLSearchParams({ "": secret }).toString().slice(1)],
      ...[...base64, hex, hex.toUpperCase()],
    ]),
  ];
}

/** Where the text contains a secret, with its context; empty if it contains none. */
export function leaksIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).flatMap((form) => {
      const at = text.indexOf(form);
      return at < 0 ? [] : [`${name}: ${text.slice(Math.max(at - 200, 0), at + 80)}`];
    }),
  );
}

/** Every row of every table, as text; bytes as they are. */
export async function dumpOf(databaseUrl: string): Promise<string> {
  const client = await connect(databaseUrl);
  try {
    const tables = await client.query("SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT LIKE 'pg_%'");
    const rows: unknown[] = [];
    for (const { schemaname, tablename } of tables.rows) {
      rows.push((await client.query(`SELECT * FROM "${schemaname}"."${tablename}"`)).rows);
    }
    return JSON.stringify(rows, (_, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
    );
  } finally {
    await client.end();
  }
}

export interface Exchange {
  /** The request that was answered: `POST /api/v1/flows`. */
  readonly request: string;
  /** Head and body of the answer. */
  readonly text: string;
}

/** Records every answer of this server, whoever the caller, until `stop` is called. */
export function keepAnswers(base: string): { exchanges: Exchange[]; stop: () => void } {
  const { fetch: original } = globalThis;
  const exchanges: Exchange[] = [];
  globalThis.fetch = async (input, init) => {
    const answer = await original(input, init);
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (url.origin !== new URL(base).origin) return answer;
    const text = await answer.clone().text();
    const request = `${init?.method ?? "GET"} ${url.pathname}`;
    exchanges.push({ request, text: JSON.stringify([answer.status, ...answer.headers, text]) });
    return answer;
  };
  return {
    exchanges,
    stop: () => {
      globalThis.fetch = original;
    },
  };
}
