import * as apiKeys from "./api-keys.ts";
import * as credentials from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import * as executions from "./executions.ts";
import * as flows from "./flows.ts";
import * as nodeTypes from "./node-types.ts";

/** Every operation of the API. The tests walk it: against the route files, and against what the server answers. */
export const allEndpoints = [
  ...Object.values(flows),
  ...Object.values(executions),
  ...Object.values(credentials),
  ...Object.values(apiKeys),
  ...Object.values(nodeTypes),
].filter((value): value is typeof value & Endpoint => typeof value === "object" && "path" in value && "scope" in value);
