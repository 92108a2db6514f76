/** Longer than dialogs and menus take to give the focus back by themselves. */
const graceMs = 60;
const remembered = 12;
const focusable =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)";

/** What had the focus, and what is around it while it is there. */
interface Place {
  readonly element: Element;
  readonly path: string;
  /** What else can have the focus beside it. */
  readonly parent: Element | null;
  /** Its row of a list, its position in that, and the rows around. */
  readonly row: Element | null;
  readonly index: number;
  readonly rows: readonly Element[];
}

/**
 * Keeps the keyboard's place on the page: what had the focus may be deleted, finished or disabled by its own action, and
 * the browser would begin again from the top. The focus then goes to the row that follows, or to what had it before.
 * Returns what ends this.
 */
export function keepFocus(): () => void {
  const stop = new AbortController();
  let places: Place[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element) places = [...places.slice(1 - remembered), placeOf(target)];
  };
  // A click beside everything gives it up on purpose.
  const giveUp = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || !(target instanceof Element)) return;
    setTimeout(() => {
      if (isThere(target) && document.hasFocus() && document.activeElement === document.body) places = [];
    });
  };
  const look = () => {
    timer = undefined;
    // A canvas has its own keys, also while nothing has the focus.
    const isLost = document.activeElement === document.body && document.querySelector(".react-flow") === null;
    const last = places.at(-1);
    if (!isLost || last === undefined || last.path !== location.pathname || isThere(last.element)) return;
    const heir = places.toReversed().reduce<Element | null>((found, place) => found ?? heirOf(place), null);
    const next = heir ?? document.getElementById("content");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  const first = document.activeElement;
  if (first !== null && first !== document.body) places = [placeOf(first)];
  document.addEventListener("focusin", note, { signal: stop.signal });
  document.addEventListener("focusout", giveUp, { signal: stop.signal });
  // Browsers take the focus from what is disabled a moment later.
  const changes = new MutationObserver(() => {
    timer ??= setTimeout(look, graceMs);
  });
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  return () => {
    stop.abort();
    changes.disconnect();
    clearTimeout(timer);
  };
}

function placeOf(element: Element): Place {
  const row = element.closest("tbody > tr, li");
  return {
    element,
    path: location.pathname,
    parent: element.parentElement,
    row,
    index: partsOf(row).indexOf(element),
    rows: [row?.nextElementSibling, row?.previousElementSibling].filter((near) => near instanceof Element),
  };
}

function isThere(element: Element): boolean {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}

/** What takes a place's focus; null if nothing of it is left. */
function heirOf({ element, path, parent, row, index, rows }: Place): Element | null {
  if (path !== location.pathname) return null;
  if (isThere(element)) return element;
  if (element.isConnected) return partsOf(parent).find(isThere) ?? null;
  if (row?.isConnected !== false) return null;
  const parts = partsOf(rows.find((near) => near.isConnected));
  return parts[index] ?? parts.at(-1) ?? null;
}

function partsOf(element: Element | null | undefined): Element[] {
  return [...(element?.querySelectorAll(focusable) ?? [])];
}
