import type { SpotlightActionGroupData } from "@mantine/spotlight";

// Connects the palette, which is loaded on first use, with pages that register their own commands.

export type CommandGroup = SpotlightActionGroupData;

const searched = "text ";

/** A command's keyword: text that is searched but not shown. */
export const searchedText = (text: string): string => `${searched}${text}`;

/** The text in such a keyword; undefined if there is none. */
export function readSearchedText(keywords: string | readonly string[]): string | undefined {
  return [keywords]
    .flat()
    .find((keyword) => keyword.startsWith(searched))
    ?.slice(searched.length);
}

let open: (() => void) | null = null;
let commandsOfPage: (() => CommandGroup[]) | null = null;
let offers = 0;
const watchers = new Set<() => void>();

function setOffer(commands: (() => CommandGroup[]) | null): void {
  commandsOfPage = commands;
  offers += 1;
  for (const watcher of watchers) watcher();
}

/** Opens the palette; does nothing without one, as on signed-out pages. */
export function openPalette(): void {
  open?.();
}

let showKeys: (() => void) | null = null;

/** Shows the page's list of shortcuts, else the palette, which has them beside its commands. */
export function openKeys(): void {
  (showKeys ?? openPalette)();
}

/** Registers what shows a page's shortcuts. Returns a function that unregisters it. */
export function showKeysBy(show: () => void): () => void {
  showKeys = show;
  return () => {
    if (showKeys === show) showKeys = null;
  };
}

/** Registers what opens the palette. Returns a function that unregisters it. */
export function openPaletteBy(opener: () => void): () => void {
  open = opener;
  return () => {
    if (open === opener) open = null;
  };
}

/** Registers a page's own commands, listed before the global ones; read when the palette opens. */
export function offerCommands(commands: () => CommandGroup[]): () => void {
  setOffer(commands);
  return () => {
    if (commandsOfPage === commands) setOffer(null);
  };
}

/** The open page's commands. */
export function pageCommands(): CommandGroup[] {
  return commandsOfPage?.() ?? [];
}

/** Subscribes to changes of the page's commands: the palette may open before the page has loaded. */
export function watchOffers(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** A counter that grows with each change. */
export function countOffers(): number {
  return offers;
}

/** The palette's shortcut as displayed. Browser only: the server does not know the keyboard. */
export function paletteKey(): string {
  return isMac() ? "⌘K" : "Ctrl K";
}

/** Whether ⌘ takes the place of Ctrl. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
