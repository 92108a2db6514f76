import type { Section } from "./section.ts";

export const trigger: Section = {
  types: [
    "A trigger is of type webhook, manual or schedule",
    "flows-create > 400 names the field that is missing or wrong > %s: %j",
  ],
  method: [
    "`config.method` is the client's, POST by default",
    "trigger-urls > who may call > %s, when that is the configured method, and no other",
  ],
  url: [
    "`config.url` is made when the flow is created",
    "flows-create > a created flow > has a trigger URL of the service's own making",
  ],
  "url-form": [
    "The URL is `{base_url}/webhooks/<id>` below PUBLIC_URL, whatever the Host header says",
    "flows-create > a created flow > is not where the Host header says",
  ],
  "url-of-clients": [
    "A `config.url` that a client sends is ignored",
    "flows-create > a created flow > has a trigger URL of the service's own making",
  ],
  "url-for-life": [
    "The URL stays the same for the flow's life",
    "flows-update > the trigger URL stays the same for the flow's life > through every change of the trigger",
  ],
  "config-default": [
    "A trigger's `config` is empty by default",
    "lib/engine/flow.test.ts > defaults > a trigger's config is empty",
  ],
  authentication: [
    "`config.authentication` is none (default), basic, header, bearer or hmac, by the credential that `config.credential` names",
    "trigger-authentication > a trigger with $type authentication > runs for who shows the secret, and refuses everyone else without a trace",
  ],
  capability: [
    "A trigger id has at least 122 random bits",
    "lib/platform/ids.test.ts > ids > of triggers tell no time: no two share a beginning more than chance has it",
  ],
  manual: [
    "A manual trigger has no URL: only the API starts it",
    "trigger-urls > who may call > 404 for an id that is none, and for a flow with another trigger",
  ],
  schedule: [
    "A schedule has cron, timezone and misfire",
    "schedules > an active flow with a schedule > runs when its time comes, each time once, with its time as the input; and no more once it is inactive",
    "lib/flows/schedule.test.ts > a schedule > comes at its time of day in its time zone, in summer and in winter",
    "lib/flows/schedule.test.ts > times that have come > and were missed get, with %s, %j",
  ],
};
