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
  /** The document as text. */
  bytes: 5_242_880,
  timeMs: 20_000,
  memoryMb: 384,
  levels: 100,
  operations: 2_000,
  /** The maximum number of values to read in the whole document, following references. */
  steps: 3_000_000,
  /** One operation as stored. */
  operationBytes: 65_536,
  /** All operations. */
  serviceBytes: 8_388_608,
} as const;

/** Why a document cannot become a service, worded to follow the field's name. */
export class UnreadableDocument extends Error {
  override readonly name = "UnreadableDocument";
}

/** The answer of the worker thread. */
export type ReadDocument = { readonly service: ImportedService } | { readonly problem: string };
