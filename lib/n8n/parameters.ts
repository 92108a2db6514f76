import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { n8nLimits } from "./document.ts";
import { asCode, asTemplate, codeOf, readValue, type Value } from "./expressions/read-value.ts";
import { NotConverted, type Reading } from "./source.ts";

/** A node's parameters: some are read literally, others may be expressions. */
export class Parameters {
  readonly #values: JsonObject;
  readonly #reading: Reading;
  readonly #gap: (reason: string) => void;
  /** The node's remaining budget for expressions, in characters. */
  readonly #left: { characters: number };

  constructor(
    values: JsonObject,
    reading: Reading,
    gap: (reason: string) => void,
    left: { characters: number } = { characters: n8nLimits.expressionsCharactersMax },
  ) {
    this.#values = values;
    this.#reading = reading;
    this.#gap = gap;
    this.#left = left;
  }

  #raw(path: string): unknown {
    let at: unknown = this.#values;
    for (const name of path.split(".")) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    return at;
  }

  /** The value at a path such as `options.timeout`; for a value chosen from a list, the value itself. */
  at(path: string): unknown {
    const at = this.#raw(path);
    return isJsonObject(at) && at.__rl === true ? at.value : at;
  }

  /** Whether a value is given by the address of its page, such as that of a repository. */
  isByUrl(path: string): boolean {
    const at = this.#raw(path);
    return isJsonObject(at) && at.__rl === true && at.mode === "url";
  }

  /** Reports the settings of a collection that are not converted. */
  reportOthers(path: string, known: readonly string[]): void {
    const names = this.names(path).filter((name) => !known.includes(name) && isSet(this.#raw(`${path}.${name}`)));
    const shown = names.slice(0, 20).map((name) => name.slice(0, 60));
    if (shown.length > 0) this.#gap(`Settings are left out: ${shown.join(", ")}.`);
  }

  has(path: string): boolean {
    const value = this.at(path);
    return value !== undefined && value !== null && value !== "";
  }

  /** The parameters of each entry of a list. */
  entries(path: string): readonly Parameters[] {
    const given = this.at(path);
    const entries = Array.isArray(given) ? given : [];
    if (entries.length > n8nLimits.entriesMax) throw new NotConverted(`more than ${n8nLimits.entriesMax} entries`);
    return entries.map(
      (entry) => new Parameters(isJsonObject(entry) ? entry : {}, this.#reading, this.#gap, this.#left),
    );
  }

  /** The names of an object's members. */
  names(path: string): readonly string[] {
    const given = this.at(path);
    return isJsonObject(given) ? Object.keys(given) : [];
  }

  /** A member of an object, whose name may contain dots. */
  memberValue(path: string, name: string): Value {
    const given = this.at(path);
    return this.#read(isJsonObject(given) ? given[name] : undefined);
  }

  /** A choice or a name that must be literal. Throws NotConverted for an expression. */
  text(path: string, otherwise = ""): string {
    const given = this.at(path) ?? otherwise;
    // Without braces, there is nothing to compute.
    const value = typeof given === "string" && !given.includes("{{") ? given.replace(/^=/, "") : given;
    if (typeof value === "string" && value.startsWith("=")) {
      throw new NotConverted(`“${path}” is an expression, but must be a fixed value here`);
    }
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : otherwise;
  }

  flag(path: string, otherwise = false): boolean {
    const value = this.at(path);
    return typeof value === "boolean" ? value : otherwise;
  }

  number(path: string, min: number, max: number, otherwise: number): number {
    const value = Number(this.text(path, String(otherwise)));
    return value >= min && value <= max ? value : otherwise;
  }

  /** A comma-separated list of field names. */
  fields(path: string): readonly string[] {
    const value = this.at(path);
    const names = Array.isArray(value) ? value : this.text(path).split(",");
    return names.flatMap((name) => (typeof name === "string" && name.trim() !== "" ? [name.trim()] : []));
  }

  value(path: string): Value {
    return this.#read(this.at(path));
  }

  /** A text that may contain expressions even without a leading `=`. */
  expressions(path: string): Value {
    const given = this.at(path);
    return this.#read(typeof given === "string" ? `=${given.replace(/^=/, "")}` : "");
  }

  /** A value as JavaScript. */
  code(path: string): string {
    return this.has(path) ? asCode(this.value(path)) : '""';
  }

  /** A value as a config's text with templates. */
  template(path: string): unknown {
    return asTemplate(this.value(path));
  }

  #read(given: unknown): Value {
    if (typeof given === "string" && given.startsWith("=")) this.#left.characters -= given.length + 50;
    if (this.#left.characters < 0) throw new NotConverted("more expressions than are converted per node");
    return readValue(given, this.#reading, (reason, source) => {
      const shown = source.trim().slice(0, 300);
      this.#gap(`An expression is not converted (${reason.message}): ${shown}`);
      return `(() => { throw new Error(${codeOf(`Not converted from n8n: ${shown}`)}); })()`;
    });
  }
}

function isSet(value: unknown): boolean {
  if (isJsonObject(value)) return Object.values(value).some(isSet);
  return value !== undefined && value !== null && value !== "" && value !== false;
}
