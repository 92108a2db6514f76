import { useEffect, useRef, useState } from "react";

/** The answer received so far. */
export interface ReceivedAnswer {
  readonly status: number;
  /** Milliseconds until the headers were there. */
  readonly duration: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** More of it is coming. */
  readonly isOpen: boolean;
  /** There was more than is displayed. */
  readonly isCut: boolean;
}

const charactersMax = 1_000_000;

/** Sends a request and reports the answer as it arrives: its start, each part of a stream, its end. */
async function sendRequest(url: string, init: RequestInit, onAnswer: (answer: ReceivedAnswer) => void): Promise<void> {
  const start = performance.now();
  const response = await fetch(url, { ...init, cache: "no-store", redirect: "follow" });
  const duration = Math.round(performance.now() - start);
  const answer = { status: response.status, duration, headers: [...response.headers] };
  let text = "";
  for await (const part of partsOf(response)) {
    text += part;
    if (text.length > charactersMax) {
      onAnswer({ ...answer, text: text.slice(0, charactersMax), isOpen: false, isCut: true });
      return;
    }
    onAnswer({ ...answer, text, isOpen: true, isCut: false });
  }
  onAnswer({ ...answer, text, isOpen: false, isCut: false });
}

async function* partsOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

export interface SentRequest {
  readonly isSending: boolean;
  readonly answer: ReceivedAnswer | null;
  /** Why there is no answer. */
  readonly problem: string | null;
  readonly send: (request: { readonly url: string; readonly init: RequestInit }) => void;
  readonly stop: () => void;
}

/** One request at a time; it is aborted when the user leaves the page. */
export function useRequest(): SentRequest {
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<ReceivedAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const inFlight = useRef<AbortController | null>(null);
  useEffect(() => () => inFlight.current?.abort(), []);
  const stop = () => {
    inFlight.current?.abort();
    setAnswer((before) => before && { ...before, isOpen: false });
  };
  const send: SentRequest["send"] = ({ url, init }) => {
    inFlight.current?.abort();
    const own = new AbortController();
    inFlight.current = own;
    setSending(true);
    setProblem(null);
    setAnswer(null);
    sendRequest(url, { ...init, signal: own.signal }, setAnswer)
      .catch((error: unknown) => {
        if (!own.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        if (inFlight.current === own) setSending(false);
      });
  };
  return { isSending, answer, problem, send, stop };
}
