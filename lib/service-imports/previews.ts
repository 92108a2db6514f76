import type { ImportedService } from "./document/imported.ts";

const keptMs = 10 * 60_000;
/** Each takes up to 8 MiB. */
const keptMax = 4;

/** Which document is imported again as which service. */
export interface PreviewKey {
  readonly workspaceId: string;
  readonly serviceId: string;
  readonly url: string;
}

const previews = new Map<string, { readonly service: ImportedService; readonly until: number }>();

const nameOf = ({ workspaceId, serviceId, url }: PreviewKey) => `${workspaceId} ${serviceId} ${url}`;

/** Keeps what was fetched to show its changes, for the import that follows; on this server only, for ten minutes. */
export function keepPreview(key: PreviewKey, service: ImportedService): void {
  const name = nameOf(key);
  previews.delete(name);
  previews.set(name, { service, until: performance.now() + keptMs });
  for (const [oldest] of previews) {
    if (previews.size <= keptMax) return;
    previews.delete(oldest);
  }
}

/** What was kept, once. */
export function takePreview(key: PreviewKey): ImportedService | undefined {
  const name = nameOf(key);
  const kept = previews.get(name);
  previews.delete(name);
  return kept === undefined || kept.until < performance.now() ? undefined : kept.service;
}
