import type { FlowTrigger } from "#lib/engine/flow.ts";
import { readFormAnswers, type TriggerForm, triggerForm } from "#lib/engine/wait-form.ts";
import { AppError } from "#lib/errors.ts";
import { type PlainAnswer, plainError } from "#lib/http/envelope.ts";
import { formPage, leadingPage, messagePage, wantsPage } from "./form-page.ts";
import type { StartedRun } from "./trigger.ts";
import { type IncomingCall, queryOf } from "./trigger-call.ts";

type Headers = Readonly<Record<string, string>>;

/** Answers that do not match the form, with their values for its page. */
class WrongAnswers extends AppError {
  readonly answers: unknown;

  constructor(answers: unknown, problems: Readonly<Record<string, string>>) {
    super("VALIDATION_ERROR", "The answers do not match the form", { details: problems });
    this.answers = answers;
  }
}

const parsed = new WeakMap<FlowTrigger, TriggerForm | null>();

/** A form trigger's form; null while it is unfinished. Cached per trigger. */
function formOf(trigger: FlowTrigger): TriggerForm | null {
  const known = parsed.get(trigger);
  if (known !== undefined) return known;
  const form = triggerForm.safeParse(trigger.config).data ?? null;
  parsed.set(trigger, form);
  return form;
}

/** One call to the URL of a `form` trigger (docs/triggers.md). People get pages, programs JSON. */
export class FormCall {
  readonly #trigger: FlowTrigger;
  readonly #request: IncomingCall;
  readonly #headers: Headers;
  readonly #flowName: string;
  readonly #isPage: boolean;

  constructor(trigger: FlowTrigger, flowName: string, request: IncomingCall, headers: Headers) {
    this.#trigger = trigger;
    this.#request = request;
    this.#headers = headers;
    this.#flowName = flowName;
    this.#isPage = wantsPage(request.method, request.headers.get("accept"));
  }

  /** Throws FORBIDDEN for a submission from another site, with which browsers send a person's credentials. */
  requireOwnPage(): void {
    const { authentication = "none" } = this.#trigger.config;
    const isForeign = this.#request.headers.get("sec-fetch-site") === "cross-site" && this.#request.method === "POST";
    if (isForeign && authentication !== "none") {
      throw new AppError("FORBIDDEN", "This form takes answers from its own page only");
    }
  }

  /** The form, prefilled from the URL's query: `?email=…`. */
  page(): PlainAnswer {
    return this.#page(200, { answers: queryOf(this.#request.url), problems: {} });
  }

  /**
   * The answers by field. Throws VALIDATION_ERROR with the problems by field, and INVALID_STATUS for an unfinished
   * form.
   */
  read(body: unknown): unknown {
    const read = readFormAnswers(this.#form(), body);
    if (!read.ok) throw new WrongAnswers(body, read.problems);
    return read.values;
  }

  /** The page after the run, from its `respond` node: a text, or a redirect. Null for programs. */
  answer({ end }: StartedRun): PlainAnswer | null {
    if (!this.#isPage || (end !== null && end.status !== "completed")) return null;
    const { status, headers } = end?.answer ?? { status: 200, headers: {} };
    const location = Object.entries(headers).find(([name]) => name.toLowerCase() === "location")?.[1];
    if (status >= 300 && status < 400 && location !== undefined && isWebUrl(location)) {
      return leadingPage(location, this.#headers);
    }
    // Without a `respond` node, the output is not meant for the person.
    const output = end?.answer ? end.output?.value : undefined;
    const text = typeof output === "string" && output !== "" ? output : "Your answers have been sent.";
    const isRefused = status >= 400;
    return messagePage(isRefused ? status : 200, [isRefused ? "That didn't work" : "Thank you", text], this.#headers);
  }

  /** The page that says what went wrong; null for programs. */
  refusal(error: unknown, headers: Headers): PlainAnswer | null {
    if (!this.#isPage) return null;
    if (error instanceof WrongAnswers) {
      return this.#page(error.status, { answers: error.answers, problems: error.details ?? {} }, headers);
    }
    const plain = plainError(error, { ...headers });
    const explanation = explain(error, headers);
    const page = messagePage(plain.status, explanation, {});
    return { ...page, headers: { ...plain.headers, ...page.headers } };
  }

  #form(): TriggerForm {
    const form = formOf(this.#trigger);
    if (form !== null) return form;
    const details = { currentStatus: "draft" };
    throw new AppError("INVALID_STATUS", "The form is not finished: its settings have errors", { details });
  }

  #page(status: number, sent: Parameters<typeof formPage>[2], headers = this.#headers): PlainAnswer {
    const { title = this.#flowName, description = null, fields, submitLabel } = this.#form();
    return formPage(
      status,
      { title, description, fields, buttons: [{ label: submitLabel, action: null }] },
      sent,
      headers,
    );
  }
}

function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

const busy = ["Try again in a moment", "The form takes no answers right now. Yours were not sent."] as const;

function explain(error: unknown, headers: Headers): readonly [title: string, text: string] {
  if (!(error instanceof AppError)) return busy;
  switch (error.code) {
    case "UNAUTHORIZED":
      return ["Sign in to answer", "This form asks for a user name and a password."];
    case "INVALID_STATUS":
      return ["This form is closed", "It takes no answers at the moment."];
    case "EXECUTION_FAILED":
      return [
        "That didn't work",
        `Your answers arrived, but something failed. Reference: ${headers["x-execution-id"]}`,
      ];
    case "CONCURRENCY_LIMIT":
    case "RATE_LIMIT_EXCEEDED":
    case "SERVICE_UNAVAILABLE":
      return busy;
    default:
      return ["That didn't work", error.message];
  }
}
