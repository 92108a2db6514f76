import type { PresenceEvent } from "#lib/contract/flows/presence.ts";

/** Colours of `presence.module.css`; a name is always beside one. */
export const coloursMax = 8;

/** A person in the flow, with all their tabs. */
export interface Person {
  readonly userId: string;
  readonly name: string;
  /** Whether it is this user in another tab. */
  readonly isYou: boolean;
  /** A number below `coloursMax`. */
  readonly colour: number;
  /** The selections of all their tabs. */
  readonly selection: readonly string[];
  /** The selection that followers see: of the last opened tab that has one, or that is in a loop's body. */
  readonly focus: readonly string[];
  /** The loop whose body that tab has open; null for the flow's own canvas. */
  readonly within: string | null;
}

type PresenceData = Pick<PresenceEvent["data"], "people" | "you">;

/** Everyone but this tab, in order of arrival. Another person's tab may have the same name. */
export function peopleOf({ people: tabs, you }: PresenceData, ownTab: string): Person[] {
  const colours = coloursOf(tabs.map(({ userId }) => userId));
  const byUser = Map.groupBy(
    tabs.filter(({ tab, userId }) => tab !== ownTab || userId !== you),
    ({ userId }) => userId,
  );
  return [...byUser].map(([userId, theirs]) => {
    const followed = theirs.findLast(({ selection, within }) => selection.length > 0 || within !== null);
    return {
      userId,
      name: theirs[0]?.name ?? "",
      isYou: userId === you,
      colour: colours.get(userId) ?? 0,
      selection: [...new Set(theirs.flatMap(({ selection }) => selection))],
      focus: followed?.selection ?? [],
      within: followed?.within ?? null,
    };
  });
}

/**
 * A colour per person, by id: everyone in the flow sees the same ones. Two people get the same colour only
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
  for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) >>> 0;
  return hash;
}

/** A person's displayed name. */
export function displayName({ name, isYou }: Pick<Person, "name" | "isYou">): string {
  return isYou ? "You, in another tab" : name;
}
