import { code } from "./code.ts";
import type { NodeDefinition } from "./define.ts";
import { delay } from "./delay.ts";
import { httpRequest } from "./http-request.ts";
import { ifElse } from "./if-else.ts";
import { log } from "./log.ts";
import { loop } from "./loop.ts";
import { merge } from "./merge.ts";
import { respond } from "./respond.ts";
import { stop } from "./stop.ts";
import { subFlow } from "./sub-flow.ts";
import { switchNode } from "./switch.ts";
import { transform } from "./transform.ts";
import { wait } from "./wait.ts";

/** Every node type, in the palette's order. A new one is a file of its own and a line here. */
export const allNodes = [
  httpRequest,
  code,
  ifElse,
  switchNode,
  transform,
  merge,
  loop,
  subFlow,
  delay,
  wait,
  log,
  respond,
  stop,
] as unknown as readonly NodeDefinition[];
