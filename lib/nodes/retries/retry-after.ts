/**
 * Milliseconds that an answer asks to wait: `Retry-After` as seconds or as a date. A date is relative to the answer's
 * own `Date` if there is one, so a server's wrong clock does no harm.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}
