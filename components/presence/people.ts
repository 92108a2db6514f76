import type { PresenceEvent } from "#lib/contract/flows/presence.ts";

/** Colours of `presence.module.css`; a name is always beside one. */
export const coloursMax = 8;

/** Somebody in the flow, with all their tabs. */
export interface Person {
  readonly userId: string;
  readonly name: string;
  /** It is the reader, in another tab. */
  readonly isYou: boolean;
  /** A number below `coloursMax`. */
  readonly colour: number;
  /** What is selected in any of their tabs. */
  readonly selection: readonly string[];
  /** What is selected in the tab that they opened last, of those with a selection: followers see this one. */
  readonly focus: readonly string[];
}

type Told = Pick<PresenceEvent["data"], "people" | "you">;

/** Everybody but this tab, in the order in which they came. Others may call their tabs the same. */
export function peopleOf({ people: tabs, you }: Told, ownTab: string): Person[] {
  const colours = coloursOf(tabs.map(({ userId }) => userId));
  const byUser = Map.groupBy(
    tabs.filter(({ tab, userId }) => tab !== ownTab || userId !== you),
    ({ userId }) => userId,
  );
  return [...byUser].map(([userId, theirs]) => ({
    userId,
    name: theirs[0]?.name ?? "",
    isYou: userId === you,
    colour: colours.get(userId) ?? 0,
    selection: [...new Set(theirs.flatMap(({ selection }) => selection))],
    focus: theirs.findLast(({ selection }) => selection.length > 0)?.selection ?? [],
  }));
}

/**
 * A colour for each person, by their id: everybody in the flow sees the same ones. Two people get the same colour only
 * when all are taken.
 */
export function coloursOf(userIds: readonly string[]): ReadonlyMap<string, number> {
  const colours = new Map<string, number>();
  for (const id of [...new Set(userIds)].sort()) {
    const taken = new Set(colours.values());
    const first = hashOf(id) % coloursMax;
    const free = Array.from({ length: coloursMax }, (_, step) => (first + step) % coloursMax).find(
      (colour) => !taken.has(colour),
    );
    colours.set(id, free ?? first);
  }
  return colours;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) >>> 0;
  return hash;
}

/** What a person is called where they are shown. */
export function calledAs({ name, isYou }: Pick<Person, "name" | "isYou">): string {
  return isYou ? "You, in another tab" : name;
}

/** One or two letters for a name: "Ana Lind" is AL. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  const letter = (word: string | undefined) => [...(word ?? "")][0] ?? "";
  return `${letter(first)}${letter(last)}`.toLocaleUpperCase() || "?";
}
