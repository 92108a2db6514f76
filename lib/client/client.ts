// The client of `millrace/client`, typed by the contract. scripts/cli/client-module.mjs inserts the table of
// operations, so that the client does not include schemas.
import type { z } from "zod";
import type { Operations } from "#lib/contract/all.ts";
import type { CallInput, Pagination } from "#lib/contract/client.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import { type ClientOptions, Connection, type Operation, type Sent } from "./connection.ts";
import { type FollowOptions, followExecution } from "./events.ts";

type Payload<E extends Endpoint> = z.output<E["answer"]>;
type NamesOf<Shape extends Endpoint["shape"]> = {
  [Name in keyof Operations]: Operations[Name]["shape"] extends Shape ? Name : never;
}[keyof Operations];
type ListName = NamesOf<"list">;
type CalledName = Exclude<keyof Operations, ListName | NamesOf<"stream">>;

/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  readonly pagination: Pagination;
}

/** Every operation by its name in the reference. */
export type Client = {
  [Name in CalledName]: (input?: CallInput<Operations[Name]>) => Promise<Payload<Operations[Name]>>;
} & {
  [Name in ListName]: (input?: CallInput<Operations[Name]>) => Promise<Page<Payload<Operations[Name]>>>;
} & {
  /** Iterates over all items of a list, requesting pages on demand. */
  readonly each: {
    [Name in ListName]: (input?: CallInput<Operations[Name]>) => AsyncGenerator<Payload<Operations[Name]>, void>;
  };
  /** The same calls, returning also the version that was read or written: send it as `If-Match`. */
  readonly versioned: {
    [Name in CalledName]: (
      input?: CallInput<Operations[Name]>,
    ) => Promise<{ readonly payload: Payload<Operations[Name]>; readonly version: number | null }>;
  };
  /** Follows an execution to its end, reconnecting if needed. */
  readonly followExecution: (id: string, options?: FollowOptions) => AsyncGenerator<StreamEvent, void>;
};

const pageSize = 100;

/** A client of one server. Throws a TypeError for an invalid URL. Calls reject with ApiError and ConnectionError. */
export function clientOf(operations: Readonly<Record<string, Operation>>, options: ClientOptions): Client {
  const connection = new Connection(options);
  const each: Record<string, unknown> = {};
  const versioned: Record<string, unknown> = {};
  const client: Record<string, unknown> = {
    each,
    versioned,
    followExecution: (id: string, given?: FollowOptions) => followExecution(connection, id, given),
  };
  for (const [name, operation] of Object.entries(operations)) {
    if (operation.shape === "stream") continue;
    const send = (input?: CallInput<Endpoint>) => connection.send(operation, input);
    if (operation.shape === "list") {
      client[name] = async (input?: CallInput<Endpoint>) => pageOf(await send(input));
      each[name] = (input?: CallInput<Endpoint>) => itemsOf(send, input);
    } else {
      client[name] = async (input?: CallInput<Endpoint>) => (await send(input)).data;
      versioned[name] = async (input?: CallInput<Endpoint>) => {
        const { data, version } = await send(input);
        return { payload: data, version };
      };
    }
  }
  return client as Client;
}

function pageOf({ data, pagination }: Sent): Page<unknown> {
  return { items: data as unknown[], pagination: pagination as Pagination };
}

/** Yields every item of a list, page by page. If the list changes meanwhile, an item may be repeated or missed. */
async function* itemsOf(
  send: (input: CallInput<Endpoint>) => Promise<Sent>,
  input: CallInput<Endpoint> = {},
): AsyncGenerator<unknown, void, undefined> {
  const limit = Number((input.query as { limit?: number } | undefined)?.limit ?? pageSize);
  for (let page = 1; ; page += 1) {
    const { items, pagination } = pageOf(await send({ ...input, query: { ...input.query, page, limit } }));
    yield* items;
    if (!pagination.hasNext) return;
  }
}
