"use client";

import { type FormEvent, useState } from "react";
import { type EntryAnswer, type EntryRefusal, unreachable } from "./entry-answer.ts";

export type FormText = (name: string) => string;

/** One of the forms before one is signed in: sends what was typed, keeps what was refused. */
export function useEntryForm(send: (text: FormText) => Promise<EntryAnswer>, then: (answer: EntryAnswer) => void) {
  const [refusal, setRefusal] = useState<EntryRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setRefusal(null);
    const answer = await send((name) => String(data.get(name) ?? "")).catch(() => unreachable);
    if (answer.done) return then(answer);
    setRefusal(answer);
    setBusy(false);
  };
  const problems = refusal?.fields ?? {};
  /** What belongs to no field. */
  const problem = refusal !== null && Object.keys(problems).length === 0 ? refusal.message : null;
  return { busy, problems, problem, onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event) };
}
