import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { fieldTitle, withOtherTitles } from "#lib/engine/issue-message.ts";
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
  const title = fieldTitle(type?.configSchema, configPathOf(problem) ?? "");
  if (title === "") return `${name}: ${message}`;
  const text = withOtherTitles(message, type?.configSchema);
  const [, missing] = /^is required(.*)$/.exec(text) ?? [];
  return missing === undefined ? `${name}: ${title} ${text}` : `${name} needs a value for ${title}${missing}`;
}
