import type { FlowSettings } from "#lib/engine/flow.ts";

/** What every assistant accepts: a subset of what the protocol allows. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;
/** The prefix of the service's own tool names, now and in future. */
export const ownToolPrefix = "millrace_";
const charactersMax = 64;

/** A flow as far as its name as a tool depends on it. */
interface NamedFlow {
  readonly name: string;
  readonly status: string;
  readonly settings: Pick<FlowSettings, "mcp"> | null;
}

/**
 * The name under which assistants find a flow: that of its settings, else its own name in small letters. Null for a flow
 * that is not active or not offered; empty if nothing of its own name is allowed in a tool's.
 */
export function toolNameOf({ name, status, settings }: NamedFlow): string | null {
  const offer = settings?.mcp;
  if (status !== "active" || offer?.expose !== true) return null;
  return offer.name ?? toolNameFrom(name);
}

/** A flow's name as a tool's: `Order intake (EU)` as `order_intake_eu`. */
export function toolNameFrom(flowName: string): string {
  const letters = flowName.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const name = words.join("_").slice(0, charactersMax);
  return name.startsWith(ownToolPrefix) ? `flow_${name}`.slice(0, charactersMax) : name;
}
