import type { SpotlightActionGroupData } from "@mantine/spotlight";

// The palette is fetched when it is first wanted, and pages with their own commands come and go: this connects them.

export type CommandGroup = SpotlightActionGroupData;

let open: (() => void) | null = null;
let commandsOfPage: (() => CommandGroup[]) | null = null;
let offers = 0;
const watchers = new Set<() => void>();

function tellOffer(commands: (() => CommandGroup[]) | null): void {
  commandsOfPage = commands;
  offers += 1;
  for (const watcher of watchers) watcher();
}

/** Opens the palette; nothing where there is none, as on a page before signing in. */
export function openPalette(): void {
  open?.();
}

let showKeys: (() => void) | null = null;

/** Shows the shortcuts of the page; where it has no list of its own the palette, which has them beside its commands. */
export function openKeys(): void {
  (showKeys ?? openPalette)();
}

/** Tells what shows a page's shortcuts. Gives the function that takes it back. */
export function showKeysBy(show: () => void): () => void {
  showKeys = show;
  return () => {
    if (showKeys === show) showKeys = null;
  };
}

/** Tells what opens the palette. Gives the function that takes it back. */
export function openPaletteBy(opener: () => void): () => void {
  open = opener;
  return () => {
    if (open === opener) open = null;
  };
}

/** Puts a page's own commands before those that are everywhere; asked for when the palette opens. */
export function offerCommands(commands: () => CommandGroup[]): () => void {
  tellOffer(commands);
  return () => {
    if (commandsOfPage === commands) tellOffer(null);
  };
}

/** What the page that is open can do. */
export function pageCommands(): CommandGroup[] {
  return commandsOfPage?.() ?? [];
}

/** Tells of each change of what a page offers: the palette may have been opened before the page was there. */
export function watchOffers(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Another number after each change. */
export function countOffers(): number {
  return offers;
}

/** The shortcut of the palette as people read it. Only in the browser: the server does not know the keyboard. */
export function paletteKey(): string {
  return isMac() ? "⌘K" : "Ctrl K";
}

/** Whether ⌘ takes the place of Ctrl. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
