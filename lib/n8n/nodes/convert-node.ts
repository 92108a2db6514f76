import type { JsonObject } from "#lib/engine/json.ts";
import type { N8nNode } from "../document.ts";
import type { Parameters } from "../parameters.ts";
import type { Reading, Source } from "../source.ts";

/** What a node of ours is made of. */
export interface Made {
  readonly type: string;
  readonly config: JsonObject;
}

/** What a converter has to work with. */
export interface Around {
  readonly node: N8nNode;
  /** The id that the node gets here. */
  readonly id: string;
  /** Its parameters, read for one item. */
  readonly parameters: Parameters;
  readonly reading: Reading;
  /** What comes in by each input, in the order of the inputs. */
  readonly inputs: readonly Source[];
  gap(reason: string): void;
  /** The credential under the name that it has in n8n; undefined if the node names none. */
  credential(type: string): string | undefined;
}

/** A node that computes an item from an item: the code of the new one. */
export interface Mapping {
  readonly kind: "map";
  readonly make: (around: Around) => string;
}

/** A node that works on all items at once. `items` is the code of their list. */
export interface Listing {
  readonly kind: "list";
  readonly make: (around: Around, items: string) => { readonly js: string; readonly shape: "one" | "list" };
}

/** A node that does something for each item. `json`: where the new item is in the node's result. */
export interface Doing {
  readonly kind: "each";
  readonly make: (around: Around) => Made & {
    readonly json: (output: string) => string;
    /** One item gives a list of them. */
    readonly gives?: "list";
    /** It may turn out to be a list. */
    readonly mayBeList?: boolean;
    readonly moved?: (output: string) => ReadonlyMap<string, string>;
  };
}

/** A node that lets items pass one of several ways: the condition of each way, in order; null is all the rest. */
export interface Parting {
  readonly kind: "part";
  readonly make: (around: Around) => {
    readonly ways: readonly { readonly when: string | null; readonly name: string }[];
    /** What of an item decides. */
    readonly on?: string;
    /** Every way that fits is taken, rather than the first. */
    readonly all?: boolean;
  };
}

/** A node that passes its items on, whatever it does meanwhile. */
export interface Passing {
  readonly kind: "pass";
  readonly make: (around: Around) => Made & {
    readonly json?: (output: string) => string;
    /** It ends the run. */
    readonly ends?: boolean;
  };
}

/** What several inputs are made into. */
export interface Joining {
  readonly kind: "join";
  readonly make: (around: Around) => { readonly js: string; readonly shape: "one" | "list" };
}

export type Converter = Mapping | Listing | Doing | Parting | Passing | Joining;

export const map = (make: Mapping["make"]): Mapping => ({ kind: "map", make });
export const list = (make: Listing["make"]): Listing => ({ kind: "list", make });
export const each = (make: Doing["make"]): Doing => ({ kind: "each", make });
export const part = (make: Parting["make"]): Parting => ({ kind: "part", make });
export const pass = (make: Passing["make"]): Passing => ({ kind: "pass", make });
export const join = (make: Joining["make"]): Joining => ({ kind: "join", make });
