// What a service is: data about an API that others offer, from which the node `call`, its form and the palette are
// made.
import type { z } from "zod";

/** How a service may be signed in to; `type` is a type of stored credentials. */
export interface CredentialKind {
  readonly type: "bearer" | "basic" | "header" | "query" | "oauth2" | "aws";
  /** What to store, and where the service gives it out. */
  readonly help: string;
  /** Of `header` and `query`: the name that the service expects. */
  readonly name?: string;
  /** Its token is part of the path, at `{credential}`. */
  readonly inPath?: boolean;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  /** What the operations here need, with spaces between. */
  readonly scopes?: string;
}

/** How a list continues: a `pagination` of the node `http-request`. */
export interface OperationPages {
  readonly next?: string;
  readonly cursor?: string;
  readonly page?: number;
  readonly offset?: number;
  /** The parameter that says how many items a page has: an `offset` increases by as many. */
  readonly size?: string;
  readonly parameter?: string;
  /** Where the parameter goes; the query by default. */
  readonly in?: "body";
  readonly items?: string;
}

export type OperationMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
export type OperationBody = "json" | "form" | "text" | "multipart" | "file";

/** What a call was given, by the names of its schemas. */
export interface CallValues {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * How a parameter is written where it is no plain text, by the names of OpenAPI; `*` stands for `explode`, `json` for a
 * parameter whose `content` is JSON.
 */
export type ParameterStyle = ParameterStyleName | `${ParameterStyleName}*` | "json";

type ParameterStyleName = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** An address of an operation's own, or one with variables, which are parameters of the operation. */
export interface OperationServer {
  /** Absolute, with `{name}` where a variable stands. */
  readonly url: string;
  readonly variables: Readonly<
    Record<
      string,
      {
        readonly parameter: string;
        readonly default: string;
        /** Any that leads nowhere else when there are none. */
        readonly choices: readonly string[];
      }
    >
  >;
}

/** One thing that a service does. */
export interface Operation {
  readonly id: string;
  /** What it does: a verb and a noun. */
  readonly name: string;
  readonly method: OperationMethod;
  /** Below the base URL, with `{name}` where a parameter comes; `{name+}` keeps its slashes. */
  readonly path: string;
  /** Those named in `path`, then of the query, but for those named in `headers`. */
  readonly parameters?: z.ZodObject;
  readonly headers?: readonly string[];
  /** Parameters that are cookies. */
  readonly cookies?: readonly string[];
  /** Of parameters that are written another way than usual. */
  readonly styles?: Readonly<Record<string, ParameterStyle>>;
  /** Where it is another than the service's. */
  readonly server?: OperationServer;
  /** Sent with each call. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: z.ZodObject;
  /** How the body is written; JSON when missing. */
  readonly bodyType?: OperationBody;
  /** What is sent, where it is not the body as it is given. */
  readonly send?: (values: CallValues) => unknown;
  /** A field of the body that holds the file to send, with `bodyType: "file"`. */
  readonly fileField?: string;
  readonly answer: z.ZodType;
  /** The answer is stored as a file, or is XML; else it is read by its content type. */
  readonly answers?: "file" | "xml";
  readonly pages?: OperationPages;
  /** Where the service describes it. */
  readonly docs: string;
  /** Read-only, whatever its method. */
  readonly reads?: boolean;
}

export interface Service {
  readonly id: string;
  readonly name: string;
  /** One or two letters on a colour. */
  readonly icon: { readonly letters: string; readonly color: string };
  readonly description: string;
  /** Null where each customer has an address of their own: then a call has to say it. */
  readonly baseUrl: string | null;
  /** What such an address looks like. */
  readonly baseUrlExample?: string;
  readonly credentials: readonly CredentialKind[];
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Why an answer with a good status is a refusal all the same; null if it is none. */
  readonly refusal?: (body: unknown) => string | null;
  readonly operations: readonly Operation[];
}

/** A service as its file describes it. */
interface Description extends Omit<Service, "operations"> {
  readonly operations: () => readonly Operation[];
}

/**
 * Describes a service. Its operations are made when they are first asked for: those of all services together take
 * longer than most commands.
 */
export function defineService({ operations, ...service }: Description): Service {
  let made: readonly Operation[] | undefined;
  return {
    ...service,
    get operations() {
      made ??= operations();
      return made;
    },
  };
}
