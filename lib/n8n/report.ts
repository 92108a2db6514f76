import type { N8nNode } from "./document.ts";

/** Something to fix by hand: in which node of the workflow, and why. */
export interface Gap {
  /** The node's name in n8n. */
  readonly node: string;
  /** Its type in n8n. */
  readonly type: string;
  readonly reason: string;
  /** The node of the flow to fix; null if there is none. */
  readonly nodeId: string | null;
  /** The credential to create, if that is all that is left to do. */
  readonly credential?: { readonly name: string; readonly type: string };
}

export interface Report {
  /** How many nodes were converted to an equivalent. */
  readonly converted: number;
  readonly gaps: readonly Gap[];
}

const reasonCharactersMax = 500;
const gapsMax = 1_000;

/** Collects gaps without duplicates. */
export class Gaps {
  readonly #gaps = new Map<string, Gap>();
  readonly #credentials = new Map<string, string>();
  readonly #taken = new Set<string>();

  add(
    node: Pick<N8nNode, "name" | "fullType">,
    nodeId: string | null,
    reason: string,
    needed: Pick<Gap, "credential"> = {},
  ): void {
    const short = reason.length > reasonCharactersMax ? `${reason.slice(0, reasonCharactersMax - 1)}…` : reason;
    const gap = {
      node: node.name,
      type: node.fullType,
      reason: short.toWellFormed().replaceAll("\u0000", "\ufffd"),
      nodeId,
      ...needed,
    };
    if (this.#gaps.size < gapsMax) this.#gaps.set(JSON.stringify([gap.node, gap.reason]), gap);
  }

  /** The name of the node's credential here. Reported as a gap on first use. */
  credential(node: N8nNode, nodeId: string | null, type: string): string | undefined {
    const [given] = node.credentials;
    if (given === undefined) return undefined;
    const known = this.#credentials.get(given.name);
    if (known !== undefined) return known;
    const baseName = identifierOf(given.name);
    const name = this.#taken.has(baseName) ? `${baseName}${this.#taken.size + 1}` : baseName;
    this.#credentials.set(given.name, name);
    this.#taken.add(name);
    this.add(
      node,
      nodeId,
      `Needs the credential “${given.name}” (${given.kind} in n8n). Create it here as “${name}”, of type ${type}.`,
      { credential: { name, type } },
    );
    return name;
  }

  get all(): readonly Gap[] {
    return [...this.#gaps.values()];
  }
}

/** A valid credential name, as expressions write it: `mailServer` for "Mail server", `crmKey` for "CRM key". */
function identifierOf(name: string): string {
  if (/^[\p{ID_Start}$_][\p{ID_Continue}$]{0,99}$/u.test(name)) return name;
  const [first = "credential", ...others] =
    name
      .normalize("NFKD")
      .slice(0, 100)
      .match(/[\p{ID_Continue}$]+/gu) ?? [];
  const joined = [
    first.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll}|\P{L}|$)|^\p{Lu}/u, (capitals) => capitals.toLowerCase()),
    ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
  ].join("");
  return /^[\p{ID_Start}$_]/u.test(joined) ? joined : `_${joined}`;
}

/** Derives node ids from names. */
export class Ids {
  readonly #taken = new Set(["trigger"]);

  of(name: string): string {
    const plain = name
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 60)
      .replace(/^-+|-+$/g, "");
    const baseId = plain || "node";
    let id = baseId;
    // Duplicate ids get the running count as a suffix, so that many of them stay linear.
    if (this.#taken.has(id)) id = `${baseId}-${this.#taken.size + 1}`;
    while (this.#taken.has(id)) id += "-1";
    this.#taken.add(id);
    return id;
  }
}
