import { type FieldSpec, readFields } from "#components/form/field-spec.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { nameOf } from "../commands/connect.ts";
import { configPathOf, type PlacedProblem } from "../draft/read-problems.ts";
import { allPlaced } from "../levels/level.ts";

/** A problem with its node and field: "“HTTP request” needs a value for URL". */
export function sayProblem(problem: PlacedProblem, draft: FlowDraft, types: readonly NodeType[]): string {
  const { nodeId, message } = problem;
  if (nodeId === undefined) return message;
  const nodes = allPlaced(draft.nodes, types).map(({ node }) => node);
  const name = `“${nameOf(nodes, nodeId)}”`;
  const type = types.find((candidate) => candidate.type === nodes.find((node) => node.id === nodeId)?.type);
  const title = titleAt(readFields(type?.configSchema), configPathOf(problem) ?? "");
  if (title === "") return `${name}: ${message}`;
  const [, missing] = /^is required(.*)$/.exec(message) ?? [];
  return missing === undefined ? `${name}: ${title} ${message}` : `${name} needs a value for ${title}${missing}`;
}

/** The titles of the fields on a path: "Retry: Attempts", "Cases 2". */
function titleAt(fields: readonly FieldSpec[], path: string): string {
  const words: string[] = [];
  let at: { readonly fields: readonly FieldSpec[]; readonly item: FieldSpec | null } = { fields, item: null };
  for (const [step, , index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const last = words.length - 1;
    if (index !== undefined) {
      if (last >= 0) words[last] = `${words[last]} ${Number(index) + 1}`;
      at = at.item ?? { fields: [], item: null };
      continue;
    }
    const field = at.fields.find(({ name }) => name === step);
    words.push(field?.title ?? step);
    at = field ?? { fields: [], item: null };
  }
  return words.join(": ");
}
