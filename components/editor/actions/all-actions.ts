import type { Action } from "./action.ts";
import { addActions } from "./add-actions.ts";
import { arrangeActions } from "./arrange-actions.ts";
import { editActions } from "./edit-actions.ts";
import { flowActions } from "./flow-actions.ts";
import { runActions } from "./run-actions.ts";
import { viewActions } from "./view-actions.ts";
import { walkActions } from "./walk-actions.ts";

/** Everything that can be done in the editor, in the order of menus. */
export const allActions: readonly Action[] = [
  ...editActions,
  ...addActions,
  ...arrangeActions,
  ...runActions,
  ...viewActions,
  ...walkActions,
  ...flowActions,
];

const byId = new Map(allActions.map((action) => [action.id, action]));

/** Throws for an id that there is not: ids are written in the source only. */
export function actionOf(id: string): Action {
  const action = byId.get(id);
  if (action === undefined) throw new Error(`There is no action "${id}"`);
  return action;
}
