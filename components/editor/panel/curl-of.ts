const bodyCharactersMax = 400;

/** A curl command that calls a trigger with this data. */
export function curlOf(method: string, url: string, data: unknown): string {
  if (method === "GET" || method === "DELETE") return `curl -X ${method} '${url}'`;
  const body = JSON.stringify(data ?? {}).replaceAll("'", "'\\''");
  const shown = body.length > bodyCharactersMax ? "{}" : body;
  return `curl -X ${method} '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${shown}'`;
}
