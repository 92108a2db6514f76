import type { Section } from "./section.ts";

export const configuration: Section = {
  "nothing-set": [
    "With nothing set everything works",
    "lib/platform/env.test.ts > settings > nothing needs to be set",
    "starting-and-stopping > a server with nothing but a data directory > tells what it does, and its address once that answers",
  ],
  invalid: [
    "A bad setting stops the start with a line that names it",
    "starting-settings > a setting that cannot be used stops the start > %s: one line each, and nothing else is done",
  ],
  "dot-env": [
    "Settings are read from .env too",
    "starting-dot-env > settings are read from .env, and the environment itself wins",
  ],
  "public-url": [
    "PUBLIC_URL is http://localhost:$PORT by default",
    "lib/platform/env.test.ts > settings > the public address follows the port",
  ],
  secrets: [
    "Secrets are made once, in files of mode 0600",
    "starting-and-stopping > a server with nothing but a data directory > keeps its secrets in files that only their owner can read",
  ],
  "own-database": [
    "DATABASE_URL: no embedded database, and secrets are required",
    "starting-together > servers on a database of one's own > start no database and make no secrets",
  ],
  "first-owner": [
    "BOOTSTRAP_* makes the first owner and its key",
    "lib/platform/env.test.ts > settings > a bootstrap key asks for the owner that it belongs to",
  ],
  "set-up": [
    "Else set-up is made in the browser, once",
    "e2e/browser/set-up.test.ts > a new installation leads to set-up, once",
  ],
  "outbound-allow": [
    "OUTBOUND_ALLOW takes names, addresses and blocks",
    "lib/platform/env.test.ts > OUTBOUND_ALLOW > takes names, addresses and blocks",
  ],
  again: [
    "A second start makes nothing again",
    "starting-and-stopping > a second start makes nothing again, and finds what the first one kept",
  ],
  signals: [
    "Ctrl-C and SIGTERM drain and stop the database",
    "starting-and-stopping > %s stops the server and its database, and is no failure",
    "runs-survive-a-stop > runs under way end before it goes, or with the next start; none is lost, none that ended is repeated",
  ],
  killed: [
    "kill -9 loses nothing",
    "runs-survive-a-kill > 200 runs of a killed server complete after the next start, each node once, none repeated that was done",
  ],
  limits: [
    "Limits are settings: body, wait, concurrency, and what an expression may use",
    "sync-wait > limits are settings > of a request's body, and of a trigger's",
    "sync-wait > limits are settings > of an expression's %s",
    "sync-wait > a run that waits for its turn > is pending until a worker has it, though execute says running, and can be cancelled",
  ],
  health: [
    "`/api/health` is 200 while requests can be served, 503 while the database cannot be reached",
    "runs-survive-the-database > meanwhile the API answers 503 and when to come again; afterwards all runs complete, nothing called twice",
    "starting-and-stopping > a server with nothing but a data directory > tells what it does, and its address once that answers",
  ],
  retention: [
    "RETENTION_DAYS, or a flow's settings.retentionDays, ends the keeping of runs; unset, all are kept",
    "lib/executions/prune-executions.test.ts > runs that are kept no longer > are those of the flow's own setting where it has one: shorter, longer, or without a general one",
    "lib/executions/prune-executions.test.ts > runs that are kept no longer > are none without any setting",
  ],
  "sign-up": [
    "SIGN_UP=open lets anyone make an account with a workspace of their own",
    "e2e/browser/accounts.test.ts > whoever signs up has a workspace of their own",
  ],
  inngest: [
    "With INNGEST_* runs go through Inngest, by the same rules as through the embedded worker",
    "conformance > %s > $name",
  ],
};
