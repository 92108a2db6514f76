import type { CredentialKind } from "#lib/services/model/service.ts";
import type { StoredOperation } from "#lib/services/model/stored.ts";

/** A document as a service. */
export interface ImportedService {
  readonly title: string;
  readonly description: string;
  readonly baseUrl: string | null;
  readonly credentials: readonly CredentialKind[];
  readonly operations: readonly StoredOperation[];
  /** Operations that cannot be called, and why. */
  readonly skipped: readonly { readonly operation: string; readonly reason: string }[];
}

export const documentLimits = {
  /** Of the document as text. */
  bytes: 5_242_880,
  timeMs: 20_000,
  memoryMb: 384,
  levels: 100,
  operations: 2_000,
  /** The maximum number of values to read, references followed, in the whole document. */
  steps: 3_000_000,
  /** Of one operation as it is stored. */
  operationBytes: 65_536,
  /** Of all of them. */
  serviceBytes: 8_388_608,
} as const;

/** Why a document cannot become a service, worded to follow the field's name. */
export class UnreadableDocument extends Error {
  override readonly name = "UnreadableDocument";
}

/** What a thread gives back. */
export type ReadDocument = { readonly service: ImportedService } | { readonly problem: string };
