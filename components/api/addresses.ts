import type { Endpoint } from "#lib/contract/endpoint.ts";
import type * as executionStream from "#lib/contract/execution-stream.ts";
import type * as executions from "#lib/contract/executions.ts";
import type * as flowVersions from "#lib/contract/flow-versions.ts";
import type * as flows from "#lib/contract/flows.ts";
import type * as nodeTypes from "#lib/contract/node-types.ts";

type Contract = typeof flows & typeof flowVersions & typeof executions & typeof executionStream & typeof nodeTypes;

/** The contract's operations by name. Only types come from there: its schemas stay out of the browser's bundle. */
export type Operations = { [Name in keyof Contract as Contract[Name] extends Endpoint ? Name : never]: Contract[Name] };
export type OperationName = keyof Operations;

/** What the browser needs to know of an operation at run time. */
export type Address = Pick<Endpoint, "method" | "path" | "shape">;
export type Addresses = Readonly<Record<string, Address>>;
