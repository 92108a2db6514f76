import type { ImportedService } from "./document/imported.ts";

const keptMs = 10 * 60_000;
/** Each takes up to 8 MiB. */
const keptMax = 4;

/** Identifies a preview: a document, and the service to update. */
export interface PreviewKey {
  readonly workspaceId: string;
  readonly serviceId: string;
  readonly url: string;
}

const previews = new Map<string, { readonly service: ImportedService; readonly until: number }>();

const nameOf = ({ workspaceId, serviceId, url }: PreviewKey) => `${workspaceId} ${serviceId} ${url}`;

/** Keeps a fetched document after a preview, for the import that follows; on this server, for ten minutes. */
export function keepPreview(key: PreviewKey, service: ImportedService): void {
  const name = nameOf(key);
  previews.delete(name);
  previews.set(name, { service, until: performance.now() + keptMs });
  for (const [oldest] of previews) {
    if (previews.size <= keptMax) return;
    previews.delete(oldest);
  }
}

/** Takes the kept document, once. */
export function takePreview(key: PreviewKey): ImportedService | undefined {
  const name = nameOf(key);
  const preview = previews.get(name);
  previews.delete(name);
  return preview === undefined || preview.until < performance.now() ? undefined : preview.service;
}
