import type { Operations as AllOperations } from "#lib/contract/all.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";

/**
 * The contract's operations by name. Imports only types, so the contract's schemas stay out of the browser's bundle.
 */
export type Operations = AllOperations;
export type OperationName = keyof Operations;

/** What the browser needs of an operation at run time. */
export type Address = Pick<Endpoint, "method" | "path" | "shape">;
export type Addresses = Readonly<Record<string, Address>>;
