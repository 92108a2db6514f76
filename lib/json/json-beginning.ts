/**
 * The first characters of a value's JSON, without writing the rest: quoting a value of 10 MiB costs no more than quoting
 * a small one. `undefined` and functions are written as in an array, as null.
 */
export function jsonBeginning(value: unknown, charactersMax: number): string {
  let text = "";
  const write = (item: unknown): void => {
    if (typeof item === "string") text += JSON.stringify(item.slice(0, charactersMax));
    else if (typeof item !== "object" || item === null) text += JSON.stringify(item) ?? "null";
    else if (Array.isArray(item)) writeItems(item);
    else writeMembers(item as Readonly<Record<string, unknown>>);
  };
  const writeItems = (items: readonly unknown[]) => {
    text += "[";
    for (let index = 0; index < items.length && text.length < charactersMax; index += 1) {
      if (index > 0) text += ",";
      write(items[index]);
    }
    text += "]";
  };
  const writeMembers = (object: Readonly<Record<string, unknown>>) => {
    let before = "{";
    for (const key in object) {
      if (text.length >= charactersMax) break;
      const member = object[key];
      if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
      text += `${before}${JSON.stringify(key.slice(0, charactersMax))}:`;
      before = ",";
      write(member);
    }
    text += before === "{" ? "{}" : "}";
  };
  write(value);
  return text.slice(0, charactersMax);
}
