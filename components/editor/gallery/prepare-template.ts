// Adapts a template to a workspace: its credentials by name, its variables with the entered values.
import type { Api } from "#components/api/use-api.ts";
import { isJsonObject } from "#lib/engine/json.ts";

interface Chosen {
  /** The workspace's credential for the template's name; a missing one keeps that name. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string | number>>;
}

/** The body of `POST /flows`. A config names a credential only in `credential`, at any depth. */
export function connectTemplate(flow: Readonly<Record<string, unknown>>, { credentials, variables }: Chosen) {
  const connected = {
    ...flow,
    trigger: renamed(flow.trigger, credentials),
    nodes: renamed(flow.nodes, credentials),
    tests: renamed(flow.tests, credentials),
  };
  return { ...connected, variables: { ...(isJsonObject(flow.variables) ? flow.variables : {}), ...variables } };
}

function renamed(value: unknown, names: Chosen["credentials"]): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isName = key === "credential" && typeof inner === "string" && Object.hasOwn(names, inner);
      return [key, isName ? names[inner] : renamed(inner, names)];
    }),
  );
}

const pageSize = 100;

/**
 * Which of these tables the workspace lacks. Looked up when a template is used, because the page may not know: an earlier
 * attempt may have created tables and then failed, and the page lists only the first hundred.
 */
export async function missingTables<Table extends { readonly name: string }>(
  api: Pick<Api, "callList">,
  tables: readonly Table[],
): Promise<Table[]> {
  let missing = [...tables];
  for (let page = 1; missing.length > 0; page += 1) {
    const { items, pagination } = await api.callList("listTables", { query: { page, limit: pageSize } });
    const there = new Set(items.map(({ name }) => name));
    missing = missing.filter(({ name }) => !there.has(name));
    if (!pagination.hasNext) break;
  }
  return missing;
}
