import type { WaitForm } from "#lib/engine/wait-form.ts";
import type { PlainAnswer } from "#lib/http/plain-answer.ts";
import { formPage, messagePage, type Sent } from "./form-page.ts";

/** A step as the page shows it; null for an invalid URL. `done`: this very call resumed it. */
interface Told {
  readonly state: "early" | "open" | "resumed" | "over" | "ended" | "done";
  readonly nodeName: string;
  readonly flowName: string;
  readonly form: WaitForm | null;
}

/** The form that a step waits for, or a single button without one. */
export function askPage(
  status: number,
  wait: Told,
  sent: Sent,
  headers: Readonly<Record<string, string>>,
): PlainAnswer {
  const { form, flowName, nodeName } = wait;
  const actions = form?.actions?.map(({ id, label = id }) => ({ label, action: id }));
  const shown = {
    title: form?.title ?? nodeName,
    description: form?.description ?? `The flow "${flowName}" waits here until you continue.`,
    fields: form?.fields ?? [],
    buttons: actions ?? [{ label: "Continue", action: null }],
  };
  return formPage(status, shown, sent, headers);
}

const messages: Readonly<Record<Told["state"], readonly [title: string, text: string]>> = {
  done: ["Thank you", "The flow continues. You can close this page."],
  resumed: ["Answered already", "This was already answered; the flow has continued."],
  over: ["Too late", "The time limit has passed; the flow has continued without an answer."],
  ended: ["Nothing waits any more", "The run of this flow has ended."],
  early: ["Not yet", "The flow has not reached this question yet. Reload the page in a moment."],
  open: ["Not done", "That could not be done. Load the page again."],
};

/** What there is to say when nothing is asked. */
export function statePage(status: number, wait: Told | null, headers: Readonly<Record<string, string>>): PlainAnswer {
  const notFound = ["Not found", "There is nothing at this address: it may be incomplete."] as const;
  return messagePage(status, wait === null ? notFound : messages[wait.state], headers);
}
