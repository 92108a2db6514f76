import { triggerSource } from "#lib/engine/flow.ts";
import type { Editor } from "./editor.ts";

const parameter = "node";

/** Opens the node named in the page's URL, and then keeps the URL in step with the open node. */
export function followNodeAddress(editor: Editor): () => void {
  const isNode = (id: string) => id === triggerSource || editor.draft.nodes.some((node) => node.id === id);
  const asked = new URLSearchParams(window.location.search).get(parameter);
  if (asked !== null && isNode(asked)) editor.select([asked]);
  return editor.store.subscribe(({ selection }, before) => {
    if (selection === before.selection) return;
    const [only = null] = selection.nodes.size === 1 ? selection.nodes : [];
    const address = new URL(window.location.href);
    if (only !== null && isNode(only)) address.searchParams.set(parameter, only);
    else address.searchParams.delete(parameter);
    if (address.href !== window.location.href) window.history.replaceState(null, "", address);
  });
}
