import { send } from "./api-client.ts";
import { eventually } from "./eventually.ts";
import { outputOf, type TestExecution } from "./flows.ts";

/**
 * Waits until a run waits at its node `nodeId`, and returns its resume URL, which the node `url` has sent before.
 * Asks the resume page, because the node runs a moment before its wait is stored. A short wait may be over by then.
 */
export function openWait(nodeId: string, read: () => Promise<TestExecution>): Promise<string> {
  return eventually(`the run waits at ${nodeId}`, async () => {
    const run = await read();
    const status = run.nodes.find((node) => node.nodeId === nodeId)?.status ?? "pending";
    if (status === "pending") return undefined;
    const address = String(outputOf(run, "url"));
    const page = await send("GET", "", undefined, { base: address, key: null, headers: { accept: "text/html" } });
    return page.text.includes("Not yet") ? undefined : address;
  });
}
