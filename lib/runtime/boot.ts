import { hasFirstWorkspace } from "#lib/auth/first-workspace.ts";
import { resealSecrets } from "#lib/credentials/reseal-secrets.ts";
import { type RunSignals, runSignals } from "#lib/executions/live/run-signals.ts";
import { runWatch } from "#lib/executions/live/watch-runs.ts";
import { presenceWatch } from "#lib/flows/presence/read-presence.ts";
import { type ApiRoutes, apiHandler } from "#lib/http/api-handler.ts";
import {
  type AnswerCall,
  answerAtWrongHost,
  answerMisdirected,
  answerTriggerCall,
  answerUnreadable,
  refuseUnclearHost,
  refuseWhileStarting,
  type ServerHooks,
} from "#lib/http/node-handler.ts";
import { answerTrigger } from "#lib/http/trigger/trigger.ts";
import { sleep } from "#lib/platform/clock.ts";
import { followDatabaseClock } from "#lib/platform/database/clock.ts";
import { env, exportPublicUrl } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { bootstrapWorkspace } from "#lib/workspaces/set-up-workspace.ts";
import { outsideWorld } from "./drive/outside-world.ts";
import { wakeRun } from "./drive/resume.ts";
import { embeddedRuntime } from "./embedded/embedded-runtime.ts";
import { worker } from "./embedded/worker.ts";
import { inngestRuntime } from "./inngest/inngest-runtime.ts";
import { chooseRuntime, runtime } from "./runtime.ts";
import { queueRun } from "./start/queue-run.ts";
import { triggerPort } from "./start/trigger-port.ts";

/** Behind another server, requests wait this long for the first workspace; the database may be away for longer. */
const firstWorkspaceMsMax = 5_000;

/**
 * Starts this process's background work. Once it resolves, requests can be answered; earlier ones are refused or,
 * behind another server, wait. `routes`: the API's, which our own server answers in front of Next.
 */
export async function boot(routes: ApiRoutes): Promise<void> {
  const hooks = singleton<ServerHooks>("server", () => ({}));
  exportPublicUrl();
  outsideWorld().sandbox.warm();
  const answer: AnswerCall = (hookId, call) => answerTrigger(triggerPort, hookId, call);
  const answerApiCall = apiHandler(routes);
  hooks.handle = (request, response) =>
    refuseUnclearHost(request, response) ||
    (!hasFirstWorkspace() && refuseWhileStarting(request, response)) ||
    answerAtWrongHost(request, response) ||
    answerTriggerCall(answer, request, response) ||
    answerMisdirected(request, response) ||
    answerApiCall(request, response);
  hooks.unreadable = answerUnreadable;
  hooks.drain = async () => {
    runWatch().close();
    presenceWatch().close();
    await Promise.all([worker().drain(), runtime().stop()]);
    await outsideWorld().outbound.close();
    await outsideWorld().sandbox.close();
  };
  Object.assign(runSignals(), {
    start: queueRun,
    woken: wakeRun,
    sandbox: () => outsideWorld().sandbox,
  } satisfies RunSignals);
  await followDatabaseClock();
  chooseRuntime(env().inngest === undefined ? embeddedRuntime : inngestRuntime);
  runtime().start();
  void changeEncryptionKey();
  const made = bootstrapWorkspace();
  if (hooks.ready === undefined) await Promise.race([made, sleep(firstWorkspaceMsMax)]);
  else void made.then(hooks.ready);
}

const sealAgainMs = 30_000;

/**
 * If ENCRYPTION_KEY_OLD is set, re-encrypts every stored secret with ENCRYPTION_KEY and logs when it is done. Without it,
 * only logs secrets that ENCRYPTION_KEY does not decrypt: it may be wrong. Retries later if the database fails.
 */
async function changeEncryptionKey(): Promise<void> {
  const isChange = env().encryptionKeyOld !== undefined;
  // Each start of a function would ask.
  if (!isChange && env().isFunction) return;
  try {
    const { sealed, unreadable } = await resealSecrets();
    const keys = isChange
      ? "neither ENCRYPTION_KEY nor ENCRYPTION_KEY_OLD decrypts"
      : "ENCRYPTION_KEY does not decrypt";
    if (unreadable > 0) logLine("error", `There are secrets that ${keys}`, { sealed, unreadable });
    else if (isChange)
      logLine("info", "All secrets are encrypted with ENCRYPTION_KEY: ENCRYPTION_KEY_OLD is no longer needed", {
        sealed,
        unreadable,
      });
  } catch (error) {
    if (isChange)
      logLine("error", "Secrets could not be re-encrypted yet: keep ENCRYPTION_KEY_OLD", errorFields(error));
    setTimeout(() => void changeEncryptionKey(), sealAgainMs).unref();
  }
}
