const saves = new Map<string, Promise<unknown>>();

/** What an editor that is being left still sends: whoever reads the flow next waits for it. */
export function noteSave(flowId: string, save: Promise<unknown>): void {
  saves.set(flowId, save);
  void save.finally(() => {
    if (saves.get(flowId) === save) saves.delete(flowId);
  });
}

/** Resolves when nothing of the flow is being sent any more. */
export async function pendingSave(flowId: string): Promise<void> {
  await saves.get(flowId);
}
