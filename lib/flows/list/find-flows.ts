import { escapeLike } from "#lib/platform/containing.ts";
import { query, queryPlanned } from "#lib/platform/database.ts";
import { beginning, separators, wordsOf } from "#lib/search-words.ts";

/** Which flows of a workspace to find; an empty text equals a missing one. */
export interface FlowQuery {
  readonly workspaceId: string;
  readonly search: string;
  readonly status: string | undefined;
  readonly tag: string | undefined;
  /** Only those that this person has marked as favorites. */
  readonly favoriteOf?: string | undefined;
  readonly sortBy: "relevance" | "name" | "createdAt" | "updatedAt" | "id";
  readonly order: "asc" | "desc";
  readonly skip: number;
  /** Null: all. */
  readonly take: number | null;
}

/** A search folded as the database compares it (see the migration flow_search). */
interface Folded {
  readonly whole: string;
  readonly words: readonly string[];
}

const columns = { name: "name", createdAt: "created_at", updatedAt: "updated_at", id: "id" } as const;

/** More would not narrow the search further. */
const gramsMax = 32;

/**
 * A page of the flows that have every word of a search in their name or description, and their total. `relevance`: the
 * best matching name first, then the latest change. Ties break by id.
 */
export async function findFlows(query: FlowQuery): Promise<{ ids: string[]; total: number }> {
  const { text, values } = findStatement(query, await fold(query.search));
  const [found] = await queryPlanned<{ ids: string[]; total: number }>(text, values);
  return found ?? { ids: [], total: 0 };
}

/** Folded by the database, because lowercase depends on its collation. */
async function fold(search: string): Promise<Folded> {
  const words = wordsOf(search);
  const text = "SELECT search_fold($1) AS whole, array(SELECT search_fold(w) FROM unnest($2::text[]) AS w) AS words";
  const [folded] = await query<{ whole: string; words: string[] }>("fold-search", text, [search.trim(), words]);
  return { whole: folded?.whole ?? "", words: folded?.words.filter((word) => word !== "") ?? [] };
}

/** The statement for a folded search. Planned with its values, because the best plan depends on them. */
export function findStatement(
  query: FlowQuery,
  { whole, words }: Folded,
): { text: string; values: readonly unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [`workspace_id = ${bind(query.workspaceId)}`];
  if (query.status !== undefined) conditions.push(`status = ${bind(query.status)}`);
  if (query.tag) conditions.push(`tags @> ${bind([query.tag])}::text[]`);
  if (query.favoriteOf !== undefined) {
    const marked = `SELECT flow_id FROM flow_favorite WHERE user_id = ${bind(query.favoriteOf)} AND workspace_id = $1`;
    conditions.push(`id IN (${marked})`);
  }
  const grams = words.flatMap(gramsOf).slice(0, gramsMax);
  if (grams.length > 0) conditions.push(`search_grams(search_text) @> ${bind(grams)}::text[]`);
  const bound = words.map((word) => bind(word));
  conditions.push(...bound.map((word) => `strpos(search_text, ${word}) > 0`));
  // Only spaces or accents: searched literally, including `%`, `_` and `\`.
  const pattern = words.length > 0 ? null : bind(`%${escapeLike(query.search)}%`);
  if (pattern !== null) conditions.push(`(name ILIKE ${pattern} OR description ILIKE ${pattern})`);
  const isRanked = query.sortBy === "relevance";
  const key = isRanked || query.sortBy === "updatedAt" ? columns.updatedAt : columns[query.sortBy];
  const rank = isRanked && words.length > 0 ? rankOf(bind(whole), words, bound, bind) : "0";
  const text = `
    WITH found AS MATERIALIZED (SELECT id, ${key} AS key, ${rank} AS rank FROM flow WHERE ${conditions.join(" AND ")})
    SELECT array(SELECT id FROM found
        ORDER BY rank ${query.order === "desc" ? "asc" : "desc"}, key ${query.order}, id ${query.order}
        LIMIT ${bind(query.take)} OFFSET ${bind(query.skip)}) AS ids,
      (SELECT count(*)::int FROM found) AS total`;
  return { text, values };
}

/** What the index has of a word: its trigrams, or the word itself if it has two characters. */
function gramsOf(word: string): readonly string[] {
  const letters = [...word];
  if (letters.length > 2)
    return letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`);
  return letters.length === 2 && Buffer.byteLength(word) > 2 ? [word] : [];
}

/** How well a name matches, ranked as in the browser; 0 is best. */
function rankOf(
  whole: string,
  words: readonly string[],
  bound: readonly string[],
  bind: (value: unknown) => string,
): string {
  const name = `split_part(search_text, E'\\n', 1)`;
  const spaced = `' ' || translate(${name}, ${bind(separators)}, ${bind(" ".repeat(separators.length))})`;
  const begins = words.map((word) => `strpos(${spaced}, ${bind(beginning(word))}) > 0`);
  const holds = bound.map((word) => `strpos(${name}, ${word}) > 0`);
  return `CASE WHEN ${name} = ${whole} THEN 0 WHEN starts_with(${name}, ${whole}) THEN 1
    WHEN ${begins.join(" AND ")} THEN 2 WHEN ${holds.join(" AND ")} THEN 3 ELSE 4 END`;
}
