import type { z } from "zod";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Iterating } from "#lib/engine/loop.ts";
import type { NodeEffect, NodeFamily, NodeTraits } from "#lib/engine/node-types.ts";
import type { Answer } from "#lib/engine/outcome.ts";
import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import type { StoredCall } from "#lib/services/model/stored.ts";
import type { TableAnswer, TableRequest } from "./across-runs/table-access.ts";
import type { TurnAnswer, TurnRequest } from "./across-runs/turn.ts";
import type { ModelAnswer, ModelRequest, ModelTool } from "./ai/model-request.ts";
import type { ToolServer } from "./ai/tools/tool-server.ts";
import type { FileAccess, FileReference } from "./files/file-access.ts";
import type { OutboundAnswer, OutboundRequest, OutboundStream } from "./http-request/outbound-request.ts";

export const logLevels = ["info", "warning", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A stored credential as a node uses it. Its values never appear in outputs, logs or errors. */
export interface NodeCredential {
  readonly name: string;
  readonly type: string;
  readonly data: Record<string, string>;
  /** Hosts it may be sent to; empty: any. */
  readonly allowedHosts: readonly string[];
}

/** A mail to send, through the server of this credential or, without one, the service's own. */
export interface MailRequest {
  readonly credential: NodeCredential | undefined;
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly attachments?: readonly FileReference[];
  /** Determines the Message-ID, by which receivers detect a repetition. */
  readonly key: string;
  readonly timeoutMs: number;
}

/** The mail server's answer, with plain addresses. */
export interface MailAnswer {
  readonly messageId: string;
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
}

/** The value of a statement's parameter. */
export type SqlValue = string | number | boolean | null;

/** A statement for the database of this credential, with `:name` for each value. */
export interface SqlRequest {
  readonly credential: NodeCredential;
  readonly query: string;
  readonly parameters: Readonly<Record<string, SqlValue>>;
  readonly timeoutMs: number;
  readonly rowsMax: number;
}

/** A statement's result: rows by column, or the number of changed rows. */
export interface SqlAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number;
  readonly insertId?: number | string;
}

/** Everything that a node can use. */
export interface NodeContext {
  /**
   * The previous node's output; `$trigger.body` at the start. Reading a large one may parse it. Not a getter: each object
   * that a literal gives one has a hidden class of its own, which keeps the run in memory until the next full collection.
   */
  input(): unknown;
  /** The outputs of all nodes that led here, in the order of the edges; none at the start. */
  inputs(): readonly { readonly nodeId: string; readonly output: unknown }[];
  /** True if an edge leaves this node by the handle. */
  isConnected(handle: string): boolean;
  /** Work that has to wait takes turns by workspace. */
  readonly workspaceId: string;
  readonly executionId: string;
  /** The node's id; in a loop's body a different one per iteration. Unique in the run, the same after a restart. */
  readonly stepId: string;
  /** For a step of a node that takes steps; otherwise null. */
  readonly place: StepPlace | null;
  /** How many flows called each other to get here; 0 for a run started from outside. */
  readonly depth: number;
  /**
   * The key by which receivers detect a repetition of this step: the same for the same work in a retry. Visible ASCII.
   */
  idempotencyKey(): Promise<string>;
  /** Aborted when the run is cancelled or exceeds its time limit. */
  readonly signal: AbortSignal;
  /** Adds an entry to the run's log. */
  log(level: LogLevel, message: string, data?: unknown): void;
  /** Counts one more attempt at the same work; shown as `retries`. */
  retried(): void;
  /** Sends a request through the guarded client. Throws `OutboundError`. */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The same with a streamed answer, up to the size of a file. */
  open(request: OutboundRequest): Promise<OutboundStream>;
  readonly files: FileAccess;
  /** An operation of a service that the workspace imported. Throws `NodeFailure`. */
  operation(service: string, id: string): Promise<StoredCall>;
  /** Evaluates an expression over these values alone. Throws `NodeFailure`. */
  evaluateOver(source: string, values: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Sends a mail. Throws `NodeFailure`. */
  sendMail(mail: MailRequest): Promise<MailAnswer>;
  /** Runs a statement in a database. Throws `NodeFailure`. */
  sql(request: SqlRequest): Promise<SqlAnswer>;
  /** Asks a language model once. The run's secrets are masked in what it is sent. Throws `NodeFailure`. */
  generate(request: ModelRequest): Promise<ModelAnswer>;
  /** The first `limit` tools of an MCP server. Throws `NodeFailure`. */
  listTools(server: ToolServer, limit: number): Promise<readonly ModelTool[]>;
  /** Calls a tool of an MCP server. Throws `NodeFailure`. */
  callTool(server: ToolServer, name: string, input: JsonObject): Promise<unknown>;
  /**
   * The credential of this name in the flow's workspace; for type `oauth2`, with an access token other than `refused`,
   * if it can be refreshed. Throws `NodeFailure` if there is none.
   */
  credential(name: string, refused?: string): Promise<NodeCredential>;
  /** Starts another flow of the workspace as a separate execution; returns its id. Throws `NodeFailure`. */
  startFlow(flowId: string, data: unknown): Promise<string>;
  /** Reads or writes rows of a table. Writes happen once, even if the node starts again. Throws `NodeFailure`. */
  table(request: TableRequest): Promise<TableAnswer>;
  /** Takes a slot under a limit; slots are never returned. Throws `NodeFailure`. */
  turn(request: TurnRequest): Promise<TurnAnswer>;
  /**
   * For each key, whether no run of the flow has seen it at this node in the last `windowMs` milliseconds. Marks all
   * keys as seen; the answer is the same if the node starts again. Throws `NodeFailure`, including if `outputOf`, the
   * node's output, is too large for the run: no key is then marked.
   */
  areNew(
    keys: readonly string[],
    windowMs: number,
    outputOf: (areNew: readonly boolean[]) => unknown,
  ): Promise<readonly boolean[]>;
  /** Evaluates a function body in the sandbox over the node's scope; `console.log` writes to the run's log. */
  evaluate(code: string, timeoutMs: number): Promise<unknown>;
  /** The time, in epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects if `signal` is aborted. */
  sleep(ms: number): Promise<void>;
  /** A number from 0 to 1, for jitter. */
  random(): number;
}

/** What a woken node can use. */
export interface ResumeContext extends Pick<NodeContext, "now" | "turn"> {
  /** The node's input, read again. */
  input(): Promise<unknown>;
}

/** A node's result: its output, and the handle that it leaves by (the plain one by default). */
export interface NodeResult {
  readonly output: unknown;
  readonly handle?: string | null;
  /** Set by a node whose output is the run's answer: status and headers of the HTTP response. */
  readonly answer?: Answer;
}

/** The result of waking a node: an output, or another wait. */
type Resumed = NodeResult | { readonly wait: WaitRequest };

/** What a loop is to iterate over. */
type Items = Omit<Iterating, "items"> & { readonly items: readonly unknown[] };

/** The result of starting a node: an output, a wait, or items for a loop's body. */
export type NodeBegun = NodeResult | { readonly wait: WaitRequest } | Items;

/** A node's failure. `code` is for programs, `message` for people; `field` is the config path at fault. */
export class NodeFailure extends Error {
  readonly code: string;
  readonly field: string | undefined;

  constructor(code: string, message: string, options: { field?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "NodeFailure";
    this.code = code;
    this.field = options.field;
  }
}

/**
 * The maximum nesting of a node's data. `JSON.parse` reads any depth, but code that walks a value, such as
 * `JSON.stringify`, overflows the stack at a few thousand levels.
 */
export const levelsMax = 500;

/** The failure of a node whose data is nested too deeply. */
export function tooDeep(subject: "output" | "config"): NodeFailure {
  return new NodeFailure(
    `${subject.toUpperCase()}_TOO_DEEP`,
    `The ${subject} is nested deeper than ${levelsMax} levels`,
  );
}

/** A likely mistake in a config that can run nevertheless. `path`: the field in the config. */
interface NodeAdvice {
  readonly code: "REFUSED_HEADER";
  readonly path: string;
  readonly message: string;
}

/**
 * A node type, defined in one server-only file, and nothing else knows more about it. The browser gets its manifest:
 * the definition without functions.
 */
export interface NodeDefinition<Config extends z.ZodObject = z.ZodObject> extends NodeTraits {
  readonly type: string;
  /** Its display name, in sentence case. */
  readonly name: string;
  readonly family: NodeFamily;
  /** A Tabler icon's name without the prefix: "world", "arrows-split". */
  readonly icon: string;
  /** The icon's lines: the `d` of its paths, concatenated. */
  readonly iconPath: string;
  /** Other words that people search for it by. */
  readonly keywords?: readonly string[];
  /**
   * The card's summary: the first line that applies is shown. `{url}` is a config field, shown without the braces of an
   * expression; a line applies if its fields have values. `{form.title:text}` shows the text unchanged, `:address` a
   * URL without its scheme, `:duration` milliseconds, `:nodes` how many nodes a list has; `{level|info}` has a default;
   * `[…]` is omitted if a field in it has no value. `{wait=false}` and `{form?}` show nothing: they restrict the line to
   * configs with that value, or with any. By default, a card shows the first required field.
   */
  readonly summary?: readonly string[];
  /** What it does, in a sentence or two, then a worked example. Markdown. */
  readonly description: string;
  readonly effect: NodeEffect;
  /** Used by other types; no node of a flow has this type. */
  readonly isInternal?: boolean;
  /** For a type that takes steps: its output, from their results. */
  readonly conclude?: (steps: readonly unknown[]) => unknown;
  /** Its output is the flow's answer. */
  readonly answers?: boolean;
  /** The field whose value decides the handle. */
  readonly decidesBy?: string;
  /** It uses earlier outputs only through its expressions. */
  readonly ignoresInput?: boolean;
  /** Its effect outside of the run: a retry may repeat writes. Default: none. */
  readonly acts?: (config: JsonObject) => "none" | "read" | "write";
  /**
   * Whether its result depends on random numbers or a secret: a replay then uses the recording, as it always does for
   * types that act outside. Default: no.
   */
  readonly unrepeatable?: (config: JsonObject) => boolean;
  /** Whether it may fail because of other runs: a replay then repeats its recorded failures. Default: no. */
  readonly mayBeRefused?: boolean;
  /** For an unrepeatable type: whether it uses its input. Default: only its config. */
  readonly takesInput?: (config: JsonObject) => boolean;
  /** The fields that identify a request for its `Idempotency-Key`: in a repetition, all of them are the same. */
  readonly sends?: readonly string[];
  /** Its output may contain those of many earlier nodes, so it may be as large as a collected value. */
  readonly collects?: boolean;
  /** The name by which later nodes read the output of the nearest node of this type. */
  readonly readAs?: "$switch";
  /** A run shows its number of retries. */
  readonly showsRetries?: boolean;
  /** The credentials that a config names outside of its expressions. */
  readonly credentialNames?: (config: JsonObject) => readonly string[];
  /** The tables that a config names, by name or id. */
  readonly tableNames?: (config: JsonObject) => readonly string[];
  readonly advice?: (config: JsonObject) => readonly NodeAdvice[];
  /**
   * The schema of the resolved config. Fields made with `expressionField` or `codeField` are recognized by their
   * format.
   */
  readonly config: Config;
  /** A valid config, shown in the docs and tested against the schema. */
  readonly example: z.input<Config>;
  /** A problem that the schema cannot express, such as a missing one of several fields. */
  readonly problem?: (config: JsonObject) => { readonly path: string; readonly message: string } | null;
  readonly run: (config: z.output<Config>, context: NodeContext) => NodeBegun | Promise<NodeBegun>;
  /**
   * The result of a waiting node when it is woken, or its next wait. Uses only the request, the wake and the
   * node's input, because this may be another process, days later. Throws `NodeFailure`.
   */
  readonly resume?: (wait: WaitRequest, wake: Wake, context: ResumeContext) => Resumed | Promise<Resumed>;
}

/** Defines a node type; the schema determines the type of `run`'s config. */
export function defineNode<Config extends z.ZodObject>(definition: NodeDefinition<Config>): NodeDefinition<Config> {
  return definition;
}

/** The position of a step in a node that takes steps. */
interface StepPlace {
  /** From 0. */
  readonly index: number;
  /** What the node started with. */
  readonly item: unknown;
  /** The results of the steps before it. */
  readonly earlier: readonly unknown[];
}
