/** What came back, as far as it is there. */
export interface ReceivedAnswer {
  readonly status: number;
  /** Milliseconds until the headers were there. */
  readonly duration: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** More of it comes. */
  readonly isOpen: boolean;
  /** There was more than is shown. */
  readonly isCut: boolean;
}

const charactersMax = 1_000_000;

/** Sends a request and tells of the answer as it arrives: at its beginning, with each part of a stream, at its end. */
export async function sendRequest(
  url: string,
  init: RequestInit,
  onAnswer: (answer: ReceivedAnswer) => void,
): Promise<void> {
  const start = performance.now();
  const response = await fetch(url, { ...init, cache: "no-store", redirect: "follow" });
  const duration = Math.round(performance.now() - start);
  const told = { status: response.status, duration, headers: [...response.headers] };
  let text = "";
  for await (const part of partsOf(response)) {
    text += part;
    if (text.length > charactersMax) {
      onAnswer({ ...told, text: text.slice(0, charactersMax), isOpen: false, isCut: true });
      return;
    }
    onAnswer({ ...told, text, isOpen: true, isCut: false });
  }
  onAnswer({ ...told, text, isOpen: false, isCut: false });
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
