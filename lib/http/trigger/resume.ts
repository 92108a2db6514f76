import { randomUUID } from "node:crypto";
import type { WaitForm } from "#lib/engine/wait-form.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { type PlainAnswer, plainError, plainJson, responseOf } from "#lib/http/envelope.ts";
import { whileHeld } from "#lib/http/held-bodies.ts";
import { readBytes } from "#lib/http/read-body.ts";
import { env } from "#lib/platform/env.ts";
import { formPage, messagePage, type Sent, wantsPage } from "./form-page.ts";
import { triggerBody } from "./trigger-body.ts";

/** A waiting step for display. */
export interface ShownWait {
  readonly state: "early" | "open" | "resumed" | "over" | "ended";
  readonly nodeName: string;
  readonly flowName: string;
  readonly form: WaitForm | null;
  readonly hasForm: boolean;
}

/** The port behind the resume URLs, implemented by the runtime. */
export interface ResumePort<Wait extends ShownWait> {
  /** Null for text that is not a token. */
  find(token: string): Promise<Wait | null>;
  resume(wait: Wait, body: unknown): Promise<object>;
}

/** Answers a GET with a page with the form or the button. Never resumes anything. */
export async function showResume<Wait extends ShownWait>(
  port: ResumePort<Wait>,
  token: string,
  request: Request,
): Promise<Response> {
  return await answering(request, async (headers) => {
    const wait = await requireWait(port, token);
    const isOpen = wait.state === "open" || (wait.state === "early" && !wait.hasForm);
    return isOpen ? formPageOf(200, wait, { answers: {}, problems: {} }, headers) : statePage(200, wait, headers);
  });
}

/** Answers a POST, which resumes: with a page to a browser, in the envelope to everybody else. */
export async function answerResume<Wait extends ShownWait>(
  port: ResumePort<Wait>,
  token: string,
  request: Request,
): Promise<Response> {
  return await answering(request, async (headers) => {
    const wait = await requireWait(port, token);
    const body = await whileHeld(request, async (held) => {
      const bytes = await readBytes(request, env().maxBodyBytes, held);
      return await triggerBody(bytes, request.headers.get("content-type"));
    });
    try {
      const data = await port.resume(wait, body);
      if (!isForPeople(request)) return plainJson(200, { success: true, data }, headers);
      return statePage(200, { ...wait, state: "done" }, headers);
    } catch (error) {
      if (!isForPeople(request) || !(error instanceof AppError)) throw error;
      if (error.code !== "VALIDATION_ERROR") return statePage(error.status, (await port.find(token)) ?? wait, headers);
      return formPageOf(error.status, wait, { answers: body, problems: error.details ?? {} }, headers);
    }
  });
}

async function answering(
  request: Request,
  answer: (headers: Record<string, string>) => Promise<PlainAnswer>,
): Promise<Response> {
  return responseOf(await answered(request, answer));
}

async function answered(
  request: Request,
  answer: (headers: Record<string, string>) => Promise<PlainAnswer>,
): Promise<PlainAnswer> {
  const headers = { "x-request-id": randomUUID() };
  try {
    return await answer(headers);
  } catch (error) {
    if (isForPeople(request) && error instanceof AppError && error.code === "NOT_FOUND") {
      return statePage(404, null, headers);
    }
    return plainError(error, headers);
  }
}

async function requireWait<Wait extends ShownWait>(port: ResumePort<Wait>, token: string): Promise<Wait> {
  const wait = await port.find(token);
  if (wait === null) throw notFound("Waiting step");
  return wait;
}

function isForPeople({ method, headers }: Request): boolean {
  return wantsPage(method, headers.get("accept"));
}

/** A step for its page; null for an invalid URL. `done`: this call resumed it. */
interface StepState {
  readonly state: "early" | "open" | "resumed" | "over" | "ended" | "done";
  readonly nodeName: string;
  readonly flowName: string;
  readonly form: WaitForm | null;
}

/** The form that a step waits for, or a single button without one. */
function formPageOf(
  status: number,
  wait: StepState,
  sent: Sent,
  headers: Readonly<Record<string, string>>,
): PlainAnswer {
  const { form, flowName, nodeName } = wait;
  const actions = form?.actions?.map(({ id, label = id, fieldsOptional }) => ({ label, action: id, fieldsOptional }));
  const shown = {
    title: form?.title ?? nodeName,
    description: form?.description ?? `The flow "${flowName}" is waiting for you to continue.`,
    fields: form?.fields ?? [],
    buttons: actions ?? [{ label: "Continue", action: null }],
  };
  return formPage(status, shown, sent, headers);
}

const messages: Readonly<Record<StepState["state"], readonly [title: string, text: string]>> = {
  done: ["Thank you", "The flow continues. You can close this page."],
  resumed: ["Already answered", "Someone has answered this, and the flow has continued."],
  over: ["Too late", "The time limit has passed, and the flow has continued without an answer."],
  ended: ["No longer needed", "The run that asked this has ended."],
  early: ["Not yet", "The flow has not reached this question yet. Reload the page in a moment."],
  open: ["Not sent", "Your answer could not be sent. Reload the page and try again."],
};

/** A message for a step that asks nothing. */
function statePage(status: number, wait: StepState | null, headers: Readonly<Record<string, string>>): PlainAnswer {
  const notFound = ["Not found", "There is nothing at this URL. It may be incomplete."] as const;
  return messagePage(status, wait === null ? notFound : messages[wait.state], headers);
}
