// Adapts a template to a workspace: its credentials by name, its variables with the entered values.
import { isJsonObject } from "#lib/engine/json.ts";

interface Chosen {
  /** The workspace's credential for the template's name; a missing one keeps that name. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string | number>>;
}

/** The body of `POST /flows`. A config names a credential only in `credential`, at any depth. */
export function connectTemplate(flow: Readonly<Record<string, unknown>>, { credentials, variables }: Chosen) {
  const connected = {
    ...flow,
    trigger: renamed(flow.trigger, credentials),
    nodes: renamed(flow.nodes, credentials),
    tests: renamed(flow.tests, credentials),
  };
  return { ...connected, variables: { ...(isJsonObject(flow.variables) ? flow.variables : {}), ...variables } };
}

function renamed(value: unknown, names: Chosen["credentials"]): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isName = key === "credential" && typeof inner === "string" && Object.hasOwn(names, inner);
      return [key, isName ? names[inner] : renamed(inner, names)];
    }),
  );
}
