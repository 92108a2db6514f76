"use client";

import { type FormEvent, useActionState } from "react";
import { type EntryAnswer, unreachable } from "./entry-answer.ts";

export type FormText = (name: string) => string;

/**
 * One of the forms before one is signed in: sends what was typed, keeps what was refused. It is an action, because React
 * keeps what is sent before the page's scripts have come, and does it then; the browser by itself would put what was
 * typed, the password too, into the address.
 */
export function useEntryForm(send: (text: FormText) => Promise<EntryAnswer>, then: (answer: EntryAnswer) => void) {
  const [last, action, isSending] = useActionState<EntryAnswer | null, FormData>(async (_before, data) => {
    const answer = await send((name) => String(data.get(name) ?? "")).catch(() => unreachable);
    if (answer.done) then(answer);
    return answer;
  }, null);
  // When it is done the next page is on its way.
  const busy = isSending || last?.done === true;
  const refusal = busy ? null : last;
  const problems = refusal?.fields ?? {};
  /** What belongs to no field. */
  const problem = refusal !== null && Object.keys(problems).length === 0 ? refusal.message : null;
  // After an action React empties the form: what was refused is to be mended, not typed again.
  const onReset = (event: FormEvent) => event.preventDefault();
  return { busy, problems, problem, action, onReset };
}
