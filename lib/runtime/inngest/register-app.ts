import { sleep } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { inngestHandlers, serveOrigin, servePath } from "./serve-functions.ts";

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Tells an Inngest server of one's own where this app's functions are, as often as it takes: it may start later than
 * this process. Inngest's cloud is told by whoever deploys.
 */
export async function registerApp(): Promise<void> {
  if (env().inngest?.isOwnServer !== true) return;
  const url = `${serveOrigin()}${servePath}`;
  for (let pauseMs = firstPauseMs, told = false; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const refusal = await register(url).catch((error) => errorFields(error));
    if (refusal === null) {
      logLine("info", "Inngest knows this app's functions", { url });
      return;
    }
    if (!told) logLine("warning", "Inngest could not be told of this app's functions: it is tried again", refusal);
    told = true;
    await sleep(pauseMs);
  }
}

/** Null when it went well. */
async function register(url: string): Promise<Record<string, unknown> | null> {
  const answer = await inngestHandlers().PUT(new Request(url, { method: "PUT" }));
  return answer.ok ? null : { status: answer.status, answer: await answer.text() };
}
