import { z } from "zod";
import type {
  CredentialKind,
  Operation,
  OperationBody,
  OperationMethod,
  OperationServer,
  ParameterStyle,
  Service,
} from "./service.ts";

/** A stored operation of an imported document. Its schemas are JSON Schemas for forms. */
export interface StoredOperation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its heading in the document. */
  readonly group: string;
  readonly method: OperationMethod;
  readonly path: string;
  /** Objects; null for none. */
  readonly parameters: StoredSchema | null;
  readonly headers: readonly string[];
  // Missing if there are none, and in older rows.
  readonly cookies?: readonly string[];
  readonly styles?: Readonly<Record<string, ParameterStyle>>;
  readonly server?: OperationServer;
  readonly body: StoredSchema | null;
  /** True if the body is not an object: it is then the field `value` of `body`. */
  readonly isWhole: boolean;
  readonly bodyType: OperationBody;
  /** If it differs from the default for the body. */
  readonly contentType: string | null;
  readonly answer: unknown;
  readonly answersFile: boolean;
}

export interface StoredSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

/** An imported service and one of its operations. */
export interface StoredCall {
  readonly service: {
    readonly id: string;
    readonly name: string;
    readonly baseUrl: string | null;
    readonly credentials: readonly CredentialKind[];
  };
  readonly operation: StoredOperation;
}

/** In the form of built-in services. Values are not validated against the document: its server does that. */
export function describeStored({ service, operation }: StoredCall): { service: Service; operation: Operation } {
  const { parameters, body, isWhole, answersFile, contentType, ...rest } = operation;
  const described: Operation = {
    ...rest,
    ...(parameters === null ? {} : { parameters: required(parameters) }),
    ...(body === null ? {} : { body: required(body) }),
    ...(body === null ? {} : { send: ({ body: given }) => sentBody(given, body, isWhole) }),
    ...(answersFile ? { answers: "file" as const } : {}),
    answer: z.unknown(),
    docs: "",
  };
  const icon = { letters: service.name.slice(0, 2), color: "#5c6773" };
  const headers = contentType === null ? {} : { headers: { "content-type": contentType } };
  return { service: { ...service, icon, ...headers, description: "", operations: [described] }, operation: described };
}

/** No body if nothing is given and nothing is required. */
function sentBody(given: Readonly<Record<string, unknown>>, { required }: StoredSchema, isWhole: boolean): unknown {
  if (isWhole) return given.value;
  return Object.keys(given).length === 0 && required.length === 0 ? undefined : given;
}

function required({ properties, required }: StoredSchema): z.ZodObject {
  const fields = Object.keys(properties).map((name) => {
    const value = z.unknown();
    return [
      name,
      required.includes(name) ? value.refine((given) => given !== undefined, "is required") : value.optional(),
    ];
  });
  return z.looseObject(Object.fromEntries(fields));
}
