import { useEffect, useRef, useState } from "react";
import { type ReceivedAnswer, sendRequest } from "./send-request.ts";

export interface SentRequest {
  readonly isSending: boolean;
  readonly answer: ReceivedAnswer | null;
  /** Why nothing came back. */
  readonly problem: string | null;
  readonly send: (request: { readonly url: string; readonly init: RequestInit }) => void;
  readonly stop: () => void;
}

/** One request at a time; what is under way ends when the page is left. */
export function useRequest(): SentRequest {
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<ReceivedAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);
  const stop = () => {
    underWay.current?.abort();
    setAnswer((before) => before && { ...before, isOpen: false });
  };
  const send: SentRequest["send"] = ({ url, init }) => {
    underWay.current?.abort();
    const own = new AbortController();
    underWay.current = own;
    setSending(true);
    setProblem(null);
    setAnswer(null);
    sendRequest(url, { ...init, signal: own.signal }, setAnswer)
      .catch((error: unknown) => {
        if (!own.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        if (underWay.current === own) setSending(false);
      });
  };
  return { isSending, answer, problem, send, stop };
}
