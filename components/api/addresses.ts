import type * as credentials from "#lib/contract/credentials.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import type * as executions from "#lib/contract/executions.ts";
import type * as expressions from "#lib/contract/expressions.ts";
import type * as flowCopies from "#lib/contract/flow-copies.ts";
import type * as flowVersions from "#lib/contract/flow-versions.ts";
import type * as flows from "#lib/contract/flows.ts";
import type * as nodeTypes from "#lib/contract/node-types.ts";

type Contract = typeof flows &
  typeof flowVersions &
  typeof flowCopies &
  typeof executions &
  typeof expressions &
  typeof credentials &
  typeof nodeTypes;

/** The contract's operations by name. Only types come from there: its schemas stay out of the browser's bundle. */
export type Operations = { [Name in keyof Contract as Contract[Name] extends Endpoint ? Name : never]: Contract[Name] };
export type OperationName = keyof Operations;

/** What the browser needs to know of an operation at run time. */
export type Address = Pick<Endpoint, "method" | "path" | "shape">;
export type Addresses = Readonly<Record<string, Address>>;
