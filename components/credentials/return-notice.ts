import type { UrlChange } from "#components/page/use-url-state.ts";
import { showToast } from "#components/toast/toast.ts";

/** The result of connecting at a provider, worded by the server; never the provider's own text. */
const words: Readonly<Record<string, (name: string) => string>> = {
  connected: (name) => `${name} is connected.`,
  denied: (name) => `${name} was not connected: access was not granted.`,
  refused: (name) => `${name} was not connected: the provider refused. Check the client ID, the secret and the scopes.`,
  failed: (name) => `${name} was not connected: the provider gave no usable answer. Try again.`,
  changed: (name) => `${name} was not connected: it was changed in the meantime. Try again.`,
  expired: () => "Nothing was connected: the attempt has expired, was finished already, or began elsewhere. Try again.",
};

/** Returning from a provider loads the page, so once per page is enough. */
let isShown = false;

/** Reports the result of connecting, and removes it from the URL. */
export async function showReturn(
  returned: string,
  name: string | undefined,
  change: (change: UrlChange, replace: boolean) => void,
): Promise<void> {
  if (isShown) return;
  isShown = true;
  const message = words[returned]?.((name ?? "The credential").slice(0, 255));
  if (message !== undefined) await showToast({ message, tone: returned === "connected" ? "done" : "failed" });
  change({ connection: null, credential: null }, true);
}
