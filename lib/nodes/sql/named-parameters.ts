import { NodeFailure, type SqlValue } from "#lib/nodes/define.ts";

/** How a database writes the place of a value. */
export type Placeholders = "numbered" | "question" | "named" | "sqlite";

export interface PlacedQuery {
  readonly text: string;
  /** The values' names, in the order of their places. */
  readonly names: readonly string[];
}

// What a colon has no meaning in: strings, quoted names and comments, which end with the query where nothing else ends them;
// casts, and PostgreSQL's dollar quotes. Each alternative is linear: none can be matched in two ways, and none is begun anew
// for each of many openings.
const postgresTokens =
  /(?<![\w$])[eE]'(?:[^'\\]|\\[\s\S]?|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*`|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$(?<tag>[A-Za-z_]\w*)?\$|::|:=|:(?<name>[A-Za-z_]\w*)/g;

/** MySQL's strings know a backslash; a hash begins a comment. */
const mysqlTokens =
  /'(?:[^'\\]|\\[\s\S]?|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]?|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|::|:=|:(?<name>[A-Za-z_]\w*)|\?|#[^\n]*/g;

/** SQLite knows names in brackets, and places of values of many kinds. */
const sqliteTokens =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|:(?<name>[A-Za-z_]\w*)|\?|[:@$#]\w+/g;

/** SQL Server knows names in brackets, and variables and temporary tables of its own. */
const mssqlTokens =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\[(?:[^\]]|\]\])*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|::|:(?<name>[A-Za-z_]\w*)/g;

const tokensOf: Readonly<Record<Placeholders, RegExp>> = {
  numbered: postgresTokens,
  question: mysqlTokens,
  named: mssqlTokens,
  sqlite: sqliteTokens,
};

/**
 * A query with `:name` where values come, as the database takes it: values are never part of its text. A name that comes
 * twice has one value. Throws NodeFailure where a place of the database's own kind is in the text.
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
    // A dollar quote ends with its own tag.
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

/** The values in the order of their places. Throws NodeFailure where one is missing, and where one has no place. */
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

/** Words that make a statement change something; those within strings count too, which is the safe side. */
const writes =
  /\b(?:insert|update|delete|merge|replace|upsert|into|create|alter|drop|truncate|call|do|exec|execute|grant|revoke|deny|dbcc|kill|shutdown|next\s+value|lock|set|copy|load|vacuum|analyze|refresh|reindex|notify|nextval|setval|for\s+(?:no\s+key\s+)?(?:update|share))\b/i;

/** Whether a statement only reads, as far as its words tell: what a function of the database does, they do not. */
export function onlyReads(query: string): boolean {
  return /^[\s(]*(?:select|with|values|show|table|explain|describe)\b/i.test(query) && !writes.test(query);
}
