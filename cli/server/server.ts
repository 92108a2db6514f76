// The server as commands use it: the contract's operations, with readable failures.
import type { z } from "zod";
import { Connection, ConnectionError, notMillrace } from "#lib/client/connection.ts";
import { ApiError, type CallInput } from "#lib/contract/client.ts";
import { type Endpoint, isIdempotent } from "#lib/contract/endpoint.ts";
import { Failure } from "../failure.ts";
import { accessOf, type Environment } from "./keys.ts";

type Payload<E extends Endpoint> = z.output<E["answer"]>;

const pageSize = 100;

export class Server {
  readonly url: string;
  readonly connection: Connection;

  constructor(access: { readonly url: string; readonly key: string }, retries = 3) {
    this.url = access.url;
    this.connection = new Connection({ ...access, retries, headers: { "user-agent": "millrace-cli" } });
  }

  /** Calls an operation. Throws ApiError and ConnectionError. */
  async call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<Payload<E>> {
    return (await this.send(endpoint, input)).payload;
  }

  /** The same, with the version read or written. */
  async send<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}) {
    const { data, version, pagination } = await this.connection.send(
      { method: endpoint.method, path: endpoint.path, shape: endpoint.shape, isRepeatable: isIdempotent(endpoint) },
      input as CallInput<Endpoint>,
    );
    return { payload: data as Payload<E>, version, pagination };
  }

  /** All items of a list. */
  async *each<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): AsyncGenerator<Payload<E>, void, undefined> {
    for (let page = 1; ; page += 1) {
      const query = { ...input.query, page, limit: pageSize } as CallInput<E>["query"];
      const { payload, pagination } = await this.send(endpoint, { ...input, query } as CallInput<E>);
      if (!Array.isArray(payload) || typeof pagination?.hasNext !== "boolean") {
        throw new ConnectionError(this.url, notMillrace);
      }
      yield* payload;
      if (!pagination.hasNext) return;
    }
  }
}

/** The configured server. Throws Failure. */
export function serverOf(environment: Environment): Server {
  return new Server(accessOf(environment));
}

/** Whether the server refused the request because of the flow or the arguments. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 404, 409, 412, 413, 422].includes(error.status);
}

/** The reasons for a refusal, one per line: `nodes[2].config.url: is required`. */
export function reasonsOf({ message, details }: ApiError): string[] {
  const reasons = Object.entries(details).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return reasons.length === 0 ? [message] : reasons.map(([path, reason]) => `${path}: ${reason}`);
}

/** Turns a server failure into one that ends the command; returns anything else unchanged. */
export function serverFailure(error: unknown): unknown {
  if (error instanceof ConnectionError) return new Failure("server", error.message, { code: "NO_ANSWER" });
  if (!(error instanceof ApiError)) return error;
  const { status, code, requestId } = error;
  const messages: Record<number, string> = {
    401: 'The server does not accept the key. Run "millrace login", or check MILLRACE_API_KEY.',
    403: `The key may not do this: ${error.message}`,
    429: "The server asks for a pause: too many requests.",
  };
  const failed = `${error.message}${requestId === null ? "" : ` (request ${requestId})`}`;
  const reason = status >= 500 ? failed : reasonsOf(error).join("; ");
  const message = messages[status] ?? `The server answered ${status}: ${reason}`;
  const kind = status === 404 ? "usage" : isRefusal(error) ? "differs" : "server";
  return new Failure(kind, message, { code, status, requestId });
}
