import type { FlowSettings } from "#lib/engine/flow.ts";

/** Names that every assistant accepts: a subset of what MCP allows. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;
/** Reserved for the service's own tools. */
export const ownToolPrefix = "millrace_";
const charactersMax = 64;

/** The parts of a flow that its tool name depends on. */
interface NamedFlow {
  readonly name: string;
  readonly status: string;
  readonly settings: Pick<FlowSettings, "mcp"> | null;
}

/**
 * The name under which assistants find a flow: from its settings, or else its own name in lowercase. Null for a flow
 * that is not active or not offered; empty if no character of its own name is allowed.
 */
export function toolNameOf({ name, status, settings }: NamedFlow): string | null {
  const offer = settings?.mcp;
  if (status !== "active" || offer?.expose !== true) return null;
  return offer.name ?? toolNameFrom(name);
}

/** A tool name for a flow's name: `order_intake_eu` for `Order intake (EU)`. */
export function toolNameFrom(flowName: string): string {
  const letters = flowName.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const name = words.join("_").slice(0, charactersMax);
  return name.startsWith(ownToolPrefix) ? `flow_${name}`.slice(0, charactersMax) : name;
}
