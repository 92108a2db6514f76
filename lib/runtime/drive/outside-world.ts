import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { env } from "#lib/platform/env.ts";
import { createOutbound } from "#lib/platform/outbound/outbound.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";

/** This process's sandbox and outbound HTTP. */
export function outsideWorld(): Outside {
  return singleton("outside", () => ({
    sandbox: createSandbox({ limits: env().sandbox, isSmall: env().isFunction }),
    outbound: createOutbound({ allow: env().outboundAllow.join(",") }),
  }));
}
