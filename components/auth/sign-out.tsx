"use client";
import { type ReactNode, useState } from "react";
import { finishDeletions } from "#components/deletion/pending-deletion.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { forgetDraftsOf, keptFlowNames, userOfPage } from "#components/editor/state/kept-draft.ts";
import { showToast } from "#components/toast/toast.ts";
import { callAuth } from "./sign-in.ts";

/** Work on this page that is saved by itself, such as a flow that is being edited. */
interface OpenWork {
  /** Saves now, if possible; resolves with the name of what is left unsaved, or null. */
  readonly save: () => Promise<string | null>;
  /** Gives up what is not saved: the page neither keeps it nor asks before it is left. */
  readonly abandon: () => void;
}

const openWork = new Set<OpenWork>();
const signedOut = "millrace:signed-out";

/**
 * Has work saved before its user signs out here, and given up when they have, in any tab: after that, the browser may be
 * somebody else's. Returns what ends this.
 */
export function saveBeforeSignOut(work: OpenWork): () => void {
  const user = userOfPage();
  const leaveToo = ({ key, newValue }: StorageEvent) => {
    if (key !== signedOut) return;
    // A page of someone whose session ended before: nobody decided about that work.
    if (newValue?.split(" ")[0] === user) work.abandon();
    window.location.reload();
  };
  openWork.add(work);
  window.addEventListener("storage", leaveToo);
  return () => {
    openWork.delete(work);
    window.removeEventListener("storage", leaveToo);
  };
}

/**
 * Signs out and continues at `next`. Nothing of the user's flows stays in the browser: changes are saved first, and
 * `question`, which is to be rendered, asks about those that cannot be. `user`: who is signed in, if the page is not one
 * of the app's.
 */
export function useSignOut(
  next: string,
  user?: string,
): { readonly signOut: () => void; readonly question: ReactNode } {
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const [isAsking, setAsking] = useState(false);
  const signOut = async () => {
    const [left] = await Promise.all([Promise.all([...openWork].map(({ save }) => save())), finishDeletions()]);
    const names = new Set([...left.filter((name) => name !== null), ...keptFlowNames(user ?? userOfPage())]);
    if (names.size === 0) return leave(next, user);
    setUnsaved([...names]);
    setAsking(true);
  };
  const question = (
    <ConfirmDialog
      title="Sign out and delete unsaved changes?"
      confirm="Sign out and delete"
      keep="Stay signed in"
      opened={isAsking}
      onClose={() => setAsking(false)}
      onConfirm={() => void leave(next, user)}
    >
      Changes to {listOf(unsaved)} could not be saved. They are only in this browser, and signing out deletes them.
    </ConfirmDialog>
  );
  return { signOut: () => void signOut(), question };
}

function listOf(names: readonly string[]): string {
  const [first = "", ...others] = names;
  if (others.length === 0) return first;
  return `${first} and ${others.length} other ${others.length === 1 ? "flow" : "flows"}`;
}

async function leave(next: string, user = userOfPage()): Promise<void> {
  const left = await callAuth("signout", { callbackUrl: next }).catch(() => undefined);
  if (left === undefined) {
    await showToast({ message: "You are still signed in: the server did not answer. Try again.", tone: "failed" });
    return;
  }
  for (const { abandon } of openWork) abandon();
  forgetDraftsOf(user);
  tellOtherTabs(user);
  window.location.assign(left);
}

function tellOtherTabs(user: string): void {
  try {
    window.localStorage.setItem(signedOut, `${user} ${Date.now()}`);
  } catch {
    // Storage is blocked: nothing is kept in it either.
  }
}
