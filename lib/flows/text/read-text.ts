import { type Place, readFlowText, type TextProblem } from "#lib/flow-text/read-flow-text.ts";

/** A flow's text, read. */
export type TextRead =
  | {
      /** The flow's document as JSON text. */
      readonly document: string;
      /** Where the text has what was asked for. */
      readonly places: readonly (Place & { readonly path: string })[];
    }
  | { readonly problems: readonly TextProblem[] };

/** Reads a flow's text, and finds where it has what paths of the flow mean. */
export function readText(text: string, paths: readonly string[]): TextRead {
  const read = readFlowText(text);
  if (read.problems !== undefined) return { problems: read.problems };
  // As text: it is sent, and parsed where there is time for it.
  return { document: JSON.stringify(read.document), places: paths.map(read.placeOf) };
}
