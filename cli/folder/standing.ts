// How a file compares with the flow on the server. Decides what `status` shows and what `pull` and `push` may do.
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import type { ServerFlow } from "../server/server-flows.ts";
import { asStored, canonical, canonicalText, documentOf, type MergedText, mergeTexts } from "./texts.ts";

export const standings = {
  same: "the same here and on the server",
  new: "not on the server yet",
  ahead: "changed here",
  behind: "changed on the server",
  merges: "changed here and on the server, in different places",
  clashes: "changed here and on the server, in the same places",
  unknown: "differs, and no pull is on record that says who changed it",
  deleted: "deleted here",
  gone: "deleted on the server",
  elsewhere: "not pulled yet",
  unreadable: "cannot be read",
} as const;
export type Standing = keyof typeof standings;

export interface Comparison {
  readonly standing: Standing;
  /** For `merges` and `clashes`. */
  readonly merged?: MergedText;
}

interface Sides {
  readonly local: { readonly text: string; readonly document: FlowDocument };
  readonly there: ServerFlow;
  /** The canonical text of the last pull or push; null if there was none. */
  readonly pulled: string | null;
  /** The file's texts in earlier commits. If the server has one of these, it has nothing that the file lacks. */
  readonly earlier: () => Iterable<string>;
}

export function compareSides({ local, there, pulled, earlier }: Sides): Comparison {
  const document = asStored(local.document, there.document);
  if (canonical(document) === there.text) return { standing: "same" };
  if (pulled === there.text) return { standing: "ahead" };
  const base = pulled === null ? null : documentOf(pulled, "the last pull");
  if (base !== null && pulled === canonical(asStored(local.document, base))) return { standing: "behind" };
  const merged =
    base === null
      ? undefined
      : mergeTexts(base, document, there.document, {
          previous: local.text,
          names: ["here", "server"],
        });
  if (merged?.conflicts.length === 0) return { standing: "merges", merged };
  for (const text of earlier()) if (canonicalText(text) === there.text) return { standing: "ahead" };
  return merged === undefined ? { standing: "unknown" } : { standing: "clashes", merged };
}
