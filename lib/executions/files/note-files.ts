import type { NodeRecord } from "#lib/executions/store/node-record.ts";
import type { NewExecution } from "#lib/executions/store/run-row.ts";
import { untilAvailable } from "#lib/executions/store/until-available.ts";
import { filesIn, noteFiles, noteFilesOfRun } from "#lib/files/references.ts";

/** The files that a run's output and these node records name. The output is usually that of its last node. */
function filesOfNodes(
  nodes: readonly Pick<NodeRecord, "input" | "output">[],
  output: string | null | undefined,
  found?: Set<string>,
): Set<string> {
  const files = filesIn(output, found);
  for (const node of nodes) {
    filesIn(node.input, files);
    if (node.output !== output) filesIn(node.output, files);
  }
  return files;
}

/** Notes the files that runs name, before the statement that stores them. Most name none, which costs one check. */
export async function noteFilesOfNew(
  runs: readonly {
    readonly execution: NewExecution;
    readonly nodes?: readonly NodeRecord[];
    readonly output?: string | null;
  }[],
  patienceMs: number,
): Promise<void> {
  for (const { execution, nodes = [], output } of runs) {
    const files = filesOfNodes(nodes, output, filesIn(execution.trigger));
    if (files.size === 0) continue;
    const owner = { kind: "run", id: execution.id, workspaceId: execution.workspaceId } as const;
    await untilAvailable(patienceMs, () => noteFiles(owner, files));
  }
}

/** The same for the node records of stored runs. */
export async function noteFilesOfStored(
  runs: readonly {
    readonly executionId: string;
    readonly nodes: readonly NodeRecord[];
    readonly output?: string | null;
  }[],
  patienceMs: number,
): Promise<void> {
  for (const { executionId, nodes, output } of runs) {
    const files = filesOfNodes(nodes, output);
    if (files.size > 0) await untilAvailable(patienceMs, () => noteFilesOfRun(executionId, files));
  }
}
