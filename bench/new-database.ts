import { connect } from "#lib/platform/database-connect.ts";

/** Makes an empty database of this name on the server that the address leads to, and gives its address. */
export async function newDatabase(serverUrl: string, name: string): Promise<string> {
  const made = new URL(serverUrl);
  made.pathname = "/postgres";
  const client = await connect(made.href);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  made.pathname = `/${name}`;
  return made.href;
}
