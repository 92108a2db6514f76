import { NodeFailure, type SqlValue } from "#lib/nodes/define.ts";

/** A database's placeholder syntax. */
export type Placeholders = "numbered" | "question" | "named" | "sqlite";

export interface PlacedQuery {
  readonly text: string;
  /** The names, in the order of their placeholders. */
  readonly names: readonly string[];
}

// Tokens in which a colon has no meaning: strings, quoted names and comments, terminated or not; casts; and
// PostgreSQL's dollar quotes. Every alternative is linear: none matches in two ways, and none restarts for each of many
// openings.
const plainString = `'(?:[^']|'')*(?:'|$)`;
const stringWithEscapes = String.raw`'(?:[^'\\]|\\[\s\S]?|'')*(?:'|$)`;
const quotedName = `"(?:[^"]|"")*(?:"|$)`;
const quotedTextWithEscapes = String.raw`"(?:[^"\\]|\\[\s\S]?|"")*(?:"|$)`;
const backtickName = "`(?:[^`]|``)*(?:`|$)";
const comments = String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const dollarQuote = String.raw`\$(?<tag>[A-Za-z_]\w*)?\$`;
const parameter = String.raw`:(?<name>[A-Za-z_]\w*)`;

/** Matches the first of these alternatives at each position. */
const tokens = (...alternatives: readonly string[]) => new RegExp(alternatives.join("|"), "g");

/** An `E'…'` string has backslash escapes. */
const postgresTokens = tokens(
  ...[String.raw`(?<![\w$])[eE]${stringWithEscapes}`, plainString, quotedName, "`[^`]*`", comments],
  ...[dollarQuote, "::", ":=", parameter],
);

/** MySQL's strings have backslash escapes; a hash starts a comment. */
const mysqlTokens = tokens(
  ...[stringWithEscapes, quotedTextWithEscapes, backtickName, comments],
  ...["::", ":=", parameter, String.raw`\?`, String.raw`#[^\n]*`],
);

/** SQLite has names in brackets, and many kinds of placeholders. */
const sqliteTokens = tokens(
  ...[plainString, quotedName, backtickName, String.raw`\[[^\]]*(?:\]|$)`, comments],
  ...[parameter, String.raw`\?`, String.raw`[:@$#]\w+`],
);

/** SQL Server has names in brackets, and its own variables and temporary tables. */
const mssqlTokens = tokens(
  ...[plainString, quotedName, String.raw`\[(?:[^\]]|\]\])*(?:\]|$)`, comments],
  ...["::", parameter],
);

const tokensOf: Readonly<Record<Placeholders, RegExp>> = {
  numbered: postgresTokens,
  question: mysqlTokens,
  named: mssqlTokens,
  sqlite: sqliteTokens,
};

/**
 * Replaces each `:name` with the database's placeholder: values are never part of the text. A repeated name has one
 * value. Throws NodeFailure if the text has the database's own placeholders.
 */
export function placeParameters(query: string, placeholders: Placeholders): PlacedQuery {
  const names: string[] = [];
  const places = new Map<string, number>();
  let text = "";
  let done = 0;
  const tokens = tokensOf[placeholders];
  tokens.lastIndex = 0;
  for (let found = tokens.exec(query); found !== null; found = tokens.exec(query)) {
    const [token] = found;
    const { tag, name } = found.groups ?? {};
    // A dollar quote ends with the same tag.
    if (token.endsWith("$") && token.startsWith("$") && placeholders === "numbered") {
      const end = query.indexOf(`$${tag ?? ""}$`, tokens.lastIndex);
      tokens.lastIndex = end < 0 ? query.length : end + token.length;
      continue;
    }
    const isPlace = token === "?" || (placeholders === "sqlite" && /^[:@$#]/.test(token) && name === undefined);
    if (isPlace) {
      throw new NodeFailure("SQL_PARAMETER", `The query has a ${token.slice(0, 50)}: write a name, such as :id`, {
        field: "query",
      });
    }
    if (name === undefined) continue;
    text += query.slice(done, found.index);
    done = tokens.lastIndex;
    if (placeholders === "question" || placeholders === "sqlite") {
      names.push(name);
      text += "?";
      continue;
    }
    const known = places.get(name) ?? names.push(name);
    places.set(name, known);
    text += `${placeholders === "named" ? "@p" : "$"}${known}`;
  }
  return { text: text + query.slice(done), names };
}

/** Why a parameter's value cannot be sent. */
export function wrongParameter(name: string, message: string): NodeFailure {
  return new NodeFailure("SQL_PARAMETER", message, { field: `parameters.${name}` });
}

/** The values in the order of their placeholders. Throws NodeFailure for a missing or unused value. */
export function valuesInPlace(
  names: readonly string[],
  parameters: Readonly<Record<string, SqlValue>>,
): readonly SqlValue[] {
  const unused = Object.keys(parameters).find((given) => !names.includes(given));
  if (unused !== undefined) throw wrongParameter(unused, `The query has no :${unused}`);
  return names.map((name) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value === undefined) throw wrongParameter(name, `The query's :${name} has no value`);
    return value;
  });
}

/** Words of statements that change something, or lock. They also match in strings, to be safe. */
const writingWords = [
  ...["insert", "update", "delete", "merge", "replace", "upsert", "into", "create", "alter", "drop", "truncate"],
  ...["call", "do", "exec", "execute", "grant", "revoke", "deny", "dbcc", "kill", "shutdown", "lock", "set", "copy"],
  ...["load", "vacuum", "analyze", "refresh", "reindex", "notify", "nextval", "setval", String.raw`next\s+value`],
  String.raw`for\s+(?:no\s+key\s+)?(?:update|share)`,
];
const writes = new RegExp(String.raw`\b(?:${writingWords.join("|")})\b`, "i");

/** Whether a statement only reads, judging by its words: a function that it calls may still write. */
export function onlyReads(query: string): boolean {
  return /^[\s(]*(?:select|with|values|show|table|explain|describe)\b/i.test(query) && !writes.test(query);
}
