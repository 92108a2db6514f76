import { IconArrowsDiff, IconCheck, IconCircleX, IconHelpCircle, IconTool } from "@tabler/icons-react";
import type { callChanges, Verdict } from "#lib/contract/flows/backtests.ts";

/** What changing the flow would have done to a run: the most interesting ones first. */
export const verdictWords = {
  broken: { label: "Broken", meaning: "completed before, fails now", icon: IconCircleX },
  mended: { label: "Fixed", meaning: "failed before, completes now", icon: IconTool },
  changed: { label: "Different", meaning: "ends the same way, with another result", icon: IconArrowsDiff },
  unknown: { label: "Unknown", meaning: "a changed request has no recorded answer", icon: IconHelpCircle },
  same: { label: "Same", meaning: "nothing differs", icon: IconCheck },
} as const satisfies Record<Verdict, unknown>;

export const verdictOrder = Object.keys(verdictWords) as readonly Verdict[];

/** What becomes of something that the flow sends. */
export const callWords: Readonly<Record<(typeof callChanges)[number], string>> = {
  same: "sends the same",
  changed: "sends something else",
  new: "is sent now, and was not before",
  gone: "was sent before, and is not any more",
  unknown: "cannot be known",
};
