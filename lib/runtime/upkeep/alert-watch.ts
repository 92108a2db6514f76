import { watchRules } from "#lib/alerts/watch-rules.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { deliveries } from "#lib/runtime/deliveries/deliveries.ts";

/** A poll that finds no due rule is one query on a small index. */
const pollMs = 2_000;

/** Evaluates alert rules on a timer, started on first use. Every process does; each rule is claimed by one at a time. */
export function alertWatch(): Poller {
  const poll = async () => {
    if ((await watchRules()) > 0) deliveries().wake();
  };
  return singleton("alert-watch", () => new Poller(pollMs, "Alert rules could not be evaluated", poll).start());
}
