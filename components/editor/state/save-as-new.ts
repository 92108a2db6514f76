import type { EditorSession } from "./editor-session.ts";

/** Stores what is on the canvas as a flow of its own, and gives its id. */
export async function saveAsNew({ api, editor }: EditorSession): Promise<string> {
  const { name, tags, nodes, edges, ...rest } = editor.draft;
  const body = { ...rest, name: `${name} (mine)`, tags: [...tags], nodes: [...nodes], edges: [...edges] };
  const { id } = await api.call("createFlow", { body });
  return id;
}
