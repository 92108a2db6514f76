// A service is data about an external API. The node `call`, its form and the palette are built from it.
import { z } from "zod";

/** A kind of credential that a service accepts. `type`: a type of stored credentials. */
export interface CredentialKind {
  readonly type: "bearer" | "basic" | "header" | "query" | "oauth2" | "aws";
  /** What to store, and where the service issues it. */
  readonly help: string;
  /** For `header` and `query`: the name that the service expects. */
  readonly name?: string;
  /** True if its token is part of the path, at `{credential}`. */
  readonly inPath?: boolean;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  /** The scopes that the operations need, separated by spaces. */
  readonly scopes?: string;
}

/** An operation's pagination, as the `pagination` of the node `http-request`. */
export interface OperationPages {
  readonly next?: string;
  readonly cursor?: string;
  readonly page?: number;
  readonly offset?: number;
  /** The parameter for the page size, by which an `offset` increases. */
  readonly size?: string;
  readonly parameter?: string;
  /** Where the parameter goes. Default: the query. */
  readonly in?: "body";
  readonly items?: string;
}

export type OperationMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
export type OperationBody = "json" | "form" | "text" | "multipart" | "file";

/** A call's values, by the names of its schemas. */
export interface CallValues {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * How a parameter is serialized if it is not plain text: OpenAPI's style; `*` stands for `explode`, `json` for a
 * parameter whose `content` is JSON.
 */
export type ParameterStyle = ParameterStyleName | `${ParameterStyleName}*` | "json";

type ParameterStyleName = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** An operation's own server, or one with variables, which are parameters of the operation. */
export interface OperationServer {
  /** Absolute, with `{name}` where a variable stands. */
  readonly url: string;
  readonly variables: Readonly<
    Record<
      string,
      {
        readonly parameter: string;
        readonly default: string;
        /** If empty, any value that does not change the host. */
        readonly choices: readonly string[];
      }
    >
  >;
}

/** An operation of a service. */
export interface Operation {
  readonly id: string;
  /** A verb and a noun. */
  readonly name: string;
  readonly method: OperationMethod;
  /** Relative to the base URL, with `{name}` for each parameter; `{name+}` keeps slashes. */
  readonly path: string;
  /** Those named in `path` or `headers` go there; all others go into the query. */
  readonly parameters?: z.ZodObject;
  readonly headers?: readonly string[];
  /** The names of parameters that are cookies. */
  readonly cookies?: readonly string[];
  /** The styles of parameters that differ from the default. */
  readonly styles?: Readonly<Record<string, ParameterStyle>>;
  /** If it differs from the service's. */
  readonly server?: OperationServer;
  /** Sent with each call. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: z.ZodObject;
  /** How the body is serialized. Default: JSON. */
  readonly bodyType?: OperationBody;
  /** Builds the body to send, if it differs from the given one. */
  readonly send?: (values: CallValues) => unknown;
  /** A field of the body that holds the file to send, with `bodyType: "file"`. */
  readonly fileField?: string;
  readonly answer: z.ZodType;
  /** Whether the answer is stored as a file, or is XML; by default, it is parsed by its content type. */
  readonly answers?: "file" | "xml";
  readonly pages?: OperationPages;
  /** The URL of its documentation. */
  readonly docs: string;
  /** True if it only reads, whatever its method. */
  readonly reads?: boolean;
}

export interface Service {
  readonly id: string;
  readonly name: string;
  /** One or two letters on a colour. */
  readonly icon: { readonly letters: string; readonly color: string };
  readonly description: string;
  /** Null if each customer has a different base URL: a call must then give it. */
  readonly baseUrl: string | null;
  /** An example of such a URL. */
  readonly baseUrlExample?: string;
  readonly credentials: readonly CredentialKind[];
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error in an answer with a success status; null if there is none. */
  readonly refusal?: (body: unknown) => string | null;
  readonly operations: readonly Operation[];
}

/** A service's definition in its file. */
interface Description extends Omit<Service, "operations"> {
  readonly operations: () => readonly Operation[];
}

/**
 * Defines a service. Its operations are created on first use: creating those of all services takes longer than most
 * commands.
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

/** A schema of an operation as JSON Schema, for forms and readers; null for none. */
function jsonSchemaOf(schema: z.ZodType | undefined): Record<string, unknown> | null {
  if (schema === undefined) return null;
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
}

/** An operation's input and answer as JSON Schemas. */
export function schemasOf({ parameters, body, answer }: Operation) {
  return {
    parametersSchema: jsonSchemaOf(parameters),
    bodySchema: jsonSchemaOf(body),
    answerSchema: jsonSchemaOf(answer),
  };
}
