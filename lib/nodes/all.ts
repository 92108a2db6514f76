import { batch } from "./across-runs/batch.ts";
import { rateLimit } from "./across-runs/rate-limit.ts";
import { table } from "./across-runs/table.ts";
import { waitFor } from "./across-runs/wait-for.ts";
import { agent } from "./ai/agent.ts";
import { agentStep } from "./ai/agent-step.ts";
import { ai } from "./ai/ai.ts";
import { call } from "./call/call.ts";
import { code } from "./code.ts";
import { convert } from "./convert.ts";
import { crypto } from "./crypto.ts";
import type { NodeDefinition } from "./define.ts";
import { delay } from "./delay.ts";
import { file } from "./files/file.ts";
import { httpRequest } from "./http-request.ts";
import { ifElse } from "./if-else.ts";
import { log } from "./log.ts";
import { loop } from "./loop.ts";
import { sendMail } from "./mail/send-mail.ts";
import { merge } from "./merge.ts";
import { respond } from "./respond.ts";
import { sql } from "./sql/sql.ts";
import { stop } from "./stop.ts";
import { subFlow } from "./sub-flow.ts";
import { switchNode } from "./switch.ts";
import { transform } from "./transform.ts";
import { wait } from "./wait.ts";

/** Every node type, in the palette's order. A new one is a file and a line here. */
export const allNodes = [
  httpRequest,
  call,
  sendMail,
  ai,
  agent,
  code,
  table,
  file,
  sql,
  ifElse,
  switchNode,
  transform,
  batch,
  convert,
  crypto,
  merge,
  loop,
  subFlow,
  delay,
  wait,
  waitFor,
  rateLimit,
  log,
  respond,
  stop,
  agentStep,
] as unknown as readonly NodeDefinition[];
