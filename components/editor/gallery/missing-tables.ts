import type { Api } from "#components/api/use-api.ts";

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
