import { connect } from "#lib/platform/database/connect.ts";

/** Creates a database of this name on the URL's server, empty or as a copy, and returns its URL. */
export async function newDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name}`);
  await onServer(serverUrl, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template} STRATEGY file_copy` : ""}`);
  return addressOf(serverUrl, name);
}

/** Runs one statement in the database that every server has. */
export async function onServer(serverUrl: string, statement: string): Promise<readonly unknown[]> {
  const client = await connect(addressOf(serverUrl, "postgres"));
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function addressOf(serverUrl: string, name: string): string {
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  return address.href;
}
