import type { JsonObject } from "#lib/engine/json.ts";
import type { N8nNode } from "../document.ts";
import type { Parameters } from "../parameters.ts";
import type { Reading, Source } from "../source.ts";

/** The parts of a converted node. */
export interface Made {
  readonly type: string;
  readonly config: JsonObject;
}

/** A converter's context. */
export interface Around {
  readonly node: N8nNode;
  /** The id that the node gets here. */
  readonly id: string;
  /** Its parameters, read for one item. */
  readonly parameters: Parameters;
  readonly reading: Reading;
  /** The data of each input, in order. */
  readonly inputs: readonly Source[];
  gap(reason: string): void;
  /** The name of the node's credential of this n8n type; undefined if it names none. */
  credential(type: string): string | undefined;
}

/** A node that computes an item from an item: the code of the new one. */
export interface Mapping {
  readonly kind: "map";
  readonly make: (context: Around) => string;
}

/** A node that works on all items at once. `items` is the code of their list. */
export interface Listing {
  readonly kind: "list";
  readonly make: (context: Around, items: string) => { readonly js: string; readonly shape: "one" | "list" };
}

/** A node that acts once per item. `json`: where the new item is in the node's result. */
export interface ItemAction {
  readonly kind: "each";
  readonly make: (context: Around) => Made & {
    readonly json: (output: string) => string;
    /** One item gives a list of items. */
    readonly gives?: "list";
    /** The result may turn out to be a list. */
    readonly mayBeList?: boolean;
    readonly moved?: (output: string) => ReadonlyMap<string, string>;
  };
}

/** A node that sends items to one of several exits: each exit's condition, in order; null for all others. */
export interface Branching {
  readonly kind: "part";
  readonly make: (context: Around) => {
    readonly branches: readonly { readonly when: string | null; readonly name: string }[];
    /** The value that decides, in an item. */
    readonly on?: string;
    /** Takes every matching exit instead of the first. */
    readonly all?: boolean;
  };
}

/** A node that passes its items on unchanged. */
export interface PassThrough {
  readonly kind: "pass";
  readonly make: (context: Around) => Made & {
    readonly json?: (output: string) => string;
    readonly moved?: ReadonlyMap<string, string>;
    /** It goes on with its input after a time limit. */
    readonly timesOut?: boolean;
    /** It ends the run. */
    readonly ends?: boolean;
  };
}

/** A node that combines several inputs. */
export interface Joining {
  readonly kind: "join";
  readonly make: (context: Around) => { readonly js: string; readonly shape: "one" | "list" };
}

export type Converter = Mapping | Listing | ItemAction | Branching | PassThrough | Joining;

export const map = (make: Mapping["make"]): Mapping => ({ kind: "map", make });
export const list = (make: Listing["make"]): Listing => ({ kind: "list", make });
export const perItem = (make: ItemAction["make"]): ItemAction => ({ kind: "each", make });
export const part = (make: Branching["make"]): Branching => ({ kind: "part", make });
export const pass = (make: PassThrough["make"]): PassThrough => ({ kind: "pass", make });
export const join = (make: Joining["make"]): Joining => ({ kind: "join", make });
