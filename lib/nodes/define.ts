import type { z } from "zod";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Iterating } from "#lib/engine/loop.ts";
import type { NodeEffect, NodeFamily, NodeTraits } from "#lib/engine/node-types.ts";
import type { Answer } from "#lib/engine/outcome.ts";
import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import type { StoredCall } from "#lib/services/model/stored.ts";
import type { TurnAnswer, TurnRequest } from "./across-runs/turn.ts";
import type { ModelAnswer, ModelRequest } from "./ai/model-request.ts";
import type { StepPlace } from "./ai/step-place.ts";
import type { OfferedTool, ToolServer } from "./ai/tools/tool-server.ts";
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

/** What a node asks of a table of the workspace; `table` is its name or id. */
export interface TableRequest {
  readonly action: "get" | "find" | "insert" | "upsert" | "update" | "delete" | "increment" | "count";
  readonly table: string;
  /** A filter, as `GET /tables/:id/rows` takes it. */
  readonly where?: unknown;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  /** Values by column name; to insert, also a list of such rows. */
  readonly row?: unknown;
  /** The unique column that an upsert finds rows by. */
  readonly key?: string | undefined;
  readonly column?: string | undefined;
  readonly by?: number | undefined;
}

/** The rows that were found or written, as the API shows them, and how many there are. */
export interface TableAnswer {
  readonly rows: readonly unknown[];
  readonly count: number;
  /** Of an upsert: how many of the rows are new. */
  readonly inserted?: number;
}

/** A mail to send: through the server of this credential, or the service's own without one. */
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
  /** Makes the Message-ID, so that receivers can tell a repetition. */
  readonly key: string;
  readonly timeoutMs: number;
}

/** What the mail server said: plain addresses. */
export interface MailAnswer {
  readonly messageId: string;
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
}

/** What a database takes in the place of a name. */
export type SqlValue = string | number | boolean | null;

/** A statement for the database of this credential, with `:name` where values come. */
export interface SqlRequest {
  readonly credential: NodeCredential;
  readonly query: string;
  readonly parameters: Readonly<Record<string, SqlValue>>;
  readonly timeoutMs: number;
  readonly rowsMax: number;
}

/** What a statement gave: rows by column, or how many it changed. */
export interface SqlAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number;
  readonly insertId?: number | string;
}

/** Everything a node can use; nothing else is within its reach. */
export interface NodeContext {
  /** The previous node's output; `$trigger.body` at the start. */
  readonly input: unknown;
  /** The outputs of all nodes that led here, in the order of the edges; none at the start. */
  inputs(): readonly { readonly nodeId: string; readonly output: unknown }[];
  /** True if an edge leaves this node by the handle. */
  leads(handle: string): boolean;
  readonly executionId: string;
  /** The node's id; in a loop's body a different one per iteration. Unique in the run, the same after a restart. */
  readonly stepId: string;
  /** Of a step of a node that takes steps; null for any other. */
  readonly place: StepPlace | null;
  /** How many flows called each other to get here; 0 for a run started from outside. */
  readonly depth: number;
  /** Tells a receiver that this step is done again: the same for the same work in a retry. Visible ASCII. */
  idempotencyKey(): Promise<string>;
  /** Aborted when the run is cancelled or exceeds its time limit. */
  readonly signal: AbortSignal;
  /** Adds an entry to the run's log. */
  log(level: LogLevel, message: string, data?: unknown): void;
  /** Counts one more attempt at the same work; shown as `retries`. */
  retried(): void;
  /** Sends a request through the guarded client. Throws `OutboundError`. */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The same for an answer that is read as it comes, of up to the size of a file. */
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
  /** Asks a language model once. What it is sent contains no secret of the run. Throws `NodeFailure`. */
  generate(request: ModelRequest): Promise<ModelAnswer>;
  /** The first `most` tools of an MCP server. Throws `NodeFailure`. */
  listTools(server: ToolServer, most: number): Promise<readonly OfferedTool[]>;
  /** What a tool of an MCP server says. Throws `NodeFailure`. */
  callTool(server: ToolServer, name: string, input: JsonObject): Promise<unknown>;
  /**
   * The credential of this name in the flow's workspace. Of type `oauth2`, with another access token than `refused`, if
   * that can be had. Throws `NodeFailure` if there is none.
   */
  credential(name: string, refused?: string): Promise<NodeCredential>;
  /** Starts another flow of the workspace as a separate execution; returns its id. Throws `NodeFailure`. */
  startFlow(flowId: string, data: unknown): Promise<string>;
  /** Reads or writes rows of a table; what is written is written once, also when the node begins again. Throws `NodeFailure`. */
  table(request: TableRequest): Promise<TableAnswer>;
  /** Asks for a turn under a limit; what is taken is never given back. Throws `NodeFailure`. */
  turn(request: TurnRequest): Promise<TurnAnswer>;
  /**
   * For each of these keys, whether no run of the flow has seen it at this node in the last `windowMs` milliseconds. From now
   * on they count as seen: once, also when the node starts again. Throws `NodeFailure`; also if `outputOf`, which is what the node
   * then returns, is larger than the run may have; then no item is marked as seen.
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
  /** Resolves after `ms` milliseconds; rejects when `signal` is aborted. */
  sleep(ms: number): Promise<void>;
  /** A number from 0 to 1, for jitter. */
  random(): number;
}

/** What a node can use when it is woken. */
export type ResumeContext = Pick<NodeContext, "now" | "turn">;

/** A node's result: its output, and the handle that it leaves by (the plain one by default). */
export interface NodeResult {
  readonly output: unknown;
  readonly handle?: string;
  /** Set by a node whose output is the whole run's answer, with the form of the HTTP response. */
  readonly answer?: Answer;
}

/** What waking a node gives: a result, or something more to wait for. */
type Resumed = NodeResult | { readonly wait: WaitRequest };

/** What starting a node gives: a result, something to wait for, or items for a loop's body. */
export type NodeBegun = NodeResult | { readonly wait: WaitRequest } | Iterating;

/**
 * A node that cannot do its work. `code` is for programs, `message` for people; `field` is the config path at fault.
 */
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
 * Nesting levels that a node's data may have. `JSON.parse` reads any number, but everything that walks a value
 * afterwards, `JSON.stringify` first of all, runs out of stack at a few thousand.
 */
export const levelsMax = 500;

/** The failure of a node whose data is nested deeper than that. */
export function tooDeep(what: "output" | "config"): NodeFailure {
  return new NodeFailure(`${what.toUpperCase()}_TOO_DEEP`, `The ${what} is nested deeper than ${levelsMax} levels`);
}

/** What is likely to be wrong with a config that can run all the same. `path` leads to the field in the config. */
export interface NodeAdvice {
  readonly code: "REFUSED_HEADER";
  readonly path: string;
  readonly message: string;
}

/**
 * A node type: one file, server-only, and all that anything else knows of it. The browser sees its manifest, which is
 * this without its functions.
 */
export interface NodeDefinition<Config extends z.ZodObject = z.ZodObject> extends NodeTraits {
  readonly type: string;
  /** Its display name, in sentence case. */
  readonly name: string;
  readonly family: NodeFamily;
  /** A Tabler icon's name without the prefix: "world", "arrows-split". */
  readonly icon: string;
  /** That icon's lines: the `d` of its paths, one after the other. */
  readonly iconPath: string;
  /**
   * What a card says of a node, as lines of which the first that fits is shown. `{url}` is a field of the config, without
   * the braces of an expression; a line fits when its fields hold something. `{form.title:text}` is the text as it is,
   * `:address` a URL without its scheme, `:duration` milliseconds; `{level|info}` has a default; `[…]` is left out when a
   * field in it holds nothing. `{wait=false}` and `{form?}` say nothing themselves: the line is for configs with
   * that value, or with any. Without it, a card shows the first field that has to be there.
   */
  readonly summary?: readonly string[];
  /** What it does, in a sentence or two, then a worked example. Markdown. */
  readonly description: string;
  readonly effect: NodeEffect;
  /** No node of a flow is of this type: other types use it. */
  readonly isInternal?: boolean;
  /** For one that takes steps: its output, from their results. */
  readonly conclude?: (steps: readonly unknown[]) => unknown;
  /** Its output is the flow's answer. */
  readonly answers?: boolean;
  /** The field whose value decides by which handle it leaves. */
  readonly decidesBy?: string;
  /** It takes nothing of what came before it but what its expressions read. */
  readonly ignoresInput?: boolean;
  /** What a run of it does outside of the run: writes may be done twice by a retry. Without it: nothing. */
  readonly acts?: (config: JsonObject) => "none" | "read" | "write";
  /**
   * Whether its result depends on randomness or a secret: a replay then uses the recording. Default: no. What
   * acts outside is played in any case.
   */
  readonly unrepeatable?: (config: JsonObject) => boolean;
  /** Whether what others do may have it fail: a replay then plays the failures that are recorded of it. Without it: no. */
  readonly mayBeRefused?: boolean;
  /** Of one that is unrepeatable: whether it works on its input. Without it: on its config alone. */
  readonly takesInput?: (config: JsonObject) => boolean;
  /** The fields that make up what it sends with an `Idempotency-Key`: a repetition has the same in all of them. */
  readonly sends?: readonly string[];
  /** Its output may contain the outputs of many nodes before it: it may be as large as theirs together. */
  readonly collects?: boolean;
  /** The name by which nodes after it read the output of the nearest node of this type. */
  readonly readAs?: "$switch";
  /** A run shows how often it tried again. */
  readonly showsRetries?: boolean;
  /** The credentials that a config names outside of its expressions. */
  readonly credentialNames?: (config: JsonObject) => readonly string[];
  /** The tables that a config names, by name or id. */
  readonly tableNames?: (config: JsonObject) => readonly string[];
  readonly advice?: (config: JsonObject) => readonly NodeAdvice[];
  /**
   * The config after templates are resolved. Fields made with `expressionField` or `codeField` are recognized by their
   * format.
   */
  readonly config: Config;
  /** A config that works, shown in the docs and tested against the schema. */
  readonly example: z.input<Config>;
  /** What a config that fits the schema still lacks, for instance one of several fields. */
  readonly problem?: (config: JsonObject) => { readonly path: string; readonly message: string } | null;
  readonly run: (config: z.output<Config>, context: NodeContext) => NodeBegun | Promise<NodeBegun>;
  /**
   * The result of a waiting node when something wakes it, or what it waits for next: from the request and the event alone,
   * because it may be another process, days later. Throws `NodeFailure`.
   */
  readonly resume?: (wait: WaitRequest, wake: Wake, context: ResumeContext) => Resumed | Promise<Resumed>;
}

/** Defines a node type; the schema types `run`'s config. */
export function defineNode<Config extends z.ZodObject>(definition: NodeDefinition<Config>): NodeDefinition<Config> {
  return definition;
}
