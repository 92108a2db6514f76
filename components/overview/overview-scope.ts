import type { ShownOverview } from "#lib/contract/execution-overview.ts";
import type { OverviewPeriod } from "./overview-periods.ts";

/** What a part of the overview shows, and of which runs. */
export interface OverviewScope {
  readonly figures: ShownOverview;
  /** The flow that is looked at; undefined for all. */
  readonly flow: string | undefined;
  readonly period: OverviewPeriod;
}
