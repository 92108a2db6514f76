import { type Place, readFlowText, type TextProblem } from "#lib/flow-text/read-flow-text.ts";

/** A parsed flow text. */
export type TextRead =
  | {
      /** The flow's document as JSON text. */
      readonly document: string;
      /** The positions of the requested paths. */
      readonly places: readonly (Place & { readonly path: string })[];
    }
  | { readonly problems: readonly TextProblem[] };

/** Parses a flow's text, and finds the positions of paths in it. */
export function readText(text: string, paths: readonly string[]): TextRead {
  const read = readFlowText(text);
  if (read.problems !== undefined) return { problems: read.problems };
  // As text, to send it and parse it in turns.
  return { document: JSON.stringify(read.document), places: paths.map(read.placeOf) };
}
