import { alertEvent, eventAliases } from "#lib/contract/event-names.ts";

const texts: Readonly<Record<keyof typeof eventAliases, string>> = {
  started: "A run began.",
  completed: "A run came to its end, with its output.",
  failed: "A run failed or took too long.",
  cancelled: "A run was cancelled.",
};

/** The events to choose from, each under its first name, or under the other if that is the one chosen already. */
export function eventChoices(chosen: readonly string[]): readonly { readonly name: string; readonly text: string }[] {
  const ofRuns = Object.entries(eventAliases).flatMap(([subject, aliases]) => {
    const names: readonly string[] = aliases;
    const taken = names.filter((name) => chosen.includes(name));
    const shown = taken.length > 0 ? taken : names.slice(0, 1);
    return shown.map((name) => ({ name, text: texts[subject as keyof typeof texts] }));
  });
  return [...ofRuns, { name: alertEvent, text: "An alert rule found something." }];
}
