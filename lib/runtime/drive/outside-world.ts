import { areNewKeys } from "#lib/across-runs/new-keys.ts";
import { takeTurn } from "#lib/across-runs/take-turn.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { env } from "#lib/platform/env.ts";
import { createOutbound } from "#lib/platform/outbound/outbound.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { performTableStep } from "#lib/tables/perform-table-step.ts";

/** This process's sandbox and outbound HTTP, and the database-backed services that runs share. */
export function outsideWorld(): Outside {
  const shared = singleton("outside", () => ({
    sandbox: createSandbox({ limits: env().sandbox, isSmall: env().isFunction }),
    outbound: createOutbound({ allow: env().outboundAllow.join(",") }),
  }));
  // Not shared between bundles: the failures they throw must be of this bundle's class.
  return { ...shared, tables: performTableStep, turns: takeTurn, newKeys: areNewKeys };
}
