import { randomUUID } from "node:crypto";
import type { WaitForm } from "#lib/engine/wait-form.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { errorAnswer, jsonAnswer } from "#lib/http/envelope.ts";
import { readBytes } from "#lib/http/read-body.ts";
import { env } from "#lib/platform/env.ts";
import { formPage, messagePage } from "./resume-page.ts";
import { triggerBody } from "./trigger-body.ts";

/** A waiting step, as a page shows it. */
export interface ShownWait {
  readonly state: "early" | "open" | "resumed" | "over" | "ended";
  readonly nodeName: string;
  readonly flowName: string;
  readonly form: WaitForm | null;
  readonly hasForm: boolean;
}

/** Behind the resume URLs: provided by the runtime. */
export interface ResumePort<Wait extends ShownWait> {
  /** Null for text that is not a token. */
  find(token: string): Promise<Wait | null>;
  resume(wait: Wait, body: unknown): Promise<object>;
}

/** Answers a GET: a page with the form or the button. It resumes nothing, whoever asks. */
export async function showResume<Wait extends ShownWait>(
  port: ResumePort<Wait>,
  token: string,
  request: Request,
): Promise<Response> {
  return await answering(request, async (headers) => {
    const wait = await requireWait(port, token);
    const isOpen = wait.state === "open" || (wait.state === "early" && !wait.hasForm);
    return isOpen ? formPage(200, wait, { answers: {}, problems: {} }, headers) : messagePage(200, wait, headers);
  });
}

/** Answers a POST that resumes: with a page to a browser, in the envelope to everybody else. */
export async function answerResume<Wait extends ShownWait>(
  port: ResumePort<Wait>,
  token: string,
  request: Request,
): Promise<Response> {
  return await answering(request, async (headers) => {
    const wait = await requireWait(port, token);
    const bytes = await readBytes(request, env().maxBodyBytes);
    const body = await triggerBody(bytes, request.headers.get("content-type"));
    try {
      const data = await port.resume(wait, body);
      if (!wantsPage(request)) return jsonAnswer(200, { success: true, data }, headers);
      return messagePage(200, { ...wait, state: "done" }, headers);
    } catch (error) {
      if (!wantsPage(request) || !(error instanceof AppError)) throw error;
      if (error.code !== "VALIDATION_ERROR")
        return messagePage(error.status, (await port.find(token)) ?? wait, headers);
      return formPage(error.status, wait, { answers: body, problems: error.details ?? {} }, headers);
    }
  });
}

async function answering(
  request: Request,
  answer: (headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const headers = { "x-request-id": randomUUID() };
  try {
    return await answer(headers);
  } catch (error) {
    if (wantsPage(request) && error instanceof AppError && error.code === "NOT_FOUND") {
      return messagePage(404, null, headers);
    }
    return errorAnswer(error, headers);
  }
}

async function requireWait<Wait extends ShownWait>(port: ResumePort<Wait>, token: string): Promise<Wait> {
  const wait = await port.find(token);
  if (wait === null) throw notFound("Waiting step");
  return wait;
}

/** Browsers ask for a page; a program that does not gets JSON. A GET always gets a page. */
function wantsPage(request: Request): boolean {
  return request.method === "GET" || /\btext\/html\b/.test(request.headers.get("accept") ?? "");
}
