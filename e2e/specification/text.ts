import type { Section } from "./section.ts";

export const text: Section = {
  variables: [
    "Any text comes back unchanged from variables and their keys",
    "text-and-numbers > text that is data comes back unchanged > %s, in variables and their keys",
  ],
  runs: [
    "Any text comes back unchanged from a run's data and outputs",
    "text-and-numbers > text that is data comes back unchanged > %s, in a run's data and outputs",
  ],
  "trigger-bodies": [
    "Any text comes back unchanged through a trigger URL",
    "text-and-numbers > text that is data comes back unchanged > %s, through a trigger URL",
  ],
  ids: [
    "In ids of filters U+0000 is 400",
    "executions-stats > DELETE /executions > 400 for filters that are not of their kind",
    "executions-list > 400 for what a parameter cannot be > %s=%j",
  ],
  "inherited-names": [
    "Names such as __proto__ are data",
    "text-and-numbers > keys that mean something to JavaScript are data like all others > in variables and configs",
    "text-and-numbers > keys that mean something to JavaScript are data like all others > in a run's data, in the sandbox and out of it",
  ],
  numbers: ["Numbers come back as they were", "text-and-numbers > numbers > %d comes back as it was"],
};
