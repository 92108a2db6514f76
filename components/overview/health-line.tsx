import { IconAlertTriangle, IconCircleCheck, IconMoon } from "@tabler/icons-react";
import { runsAddress } from "#components/executions/run-queries.ts";
import { Link } from "#components/page/link.tsx";
import { recoveredWords } from "#components/status/recovered-words.ts";
import styles from "./health-line.module.css";
import type { OverviewScope } from "./overview-queries.ts";

const count = new Intl.NumberFormat("en");

/** The overview in a sentence: all is well, or what is wrong and where. */
export function HealthLine({ figures, flow, period }: OverviewScope) {
  const { completed, failed, timeout, cancelled, total } = figures.current;
  const bad = failed + timeout;
  const { recovered } = figures;
  const since = period.value;
  const ended = completed + cancelled;
  if (total === 0) {
    return (
      <p className={styles.line} data-tone="quiet">
        <IconMoon size={20} stroke={1.7} aria-hidden="true" />
        <span>Nothing ran in {period.words}.</span>
      </p>
    );
  }
  if (bad === 0) {
    return (
      <p className={styles.line} data-tone="good">
        <IconCircleCheck size={20} stroke={1.8} aria-hidden="true" />
        <span>
          All is well: {count.format(ended)} {ended === 1 ? "run" : "runs"} ended in {period.words}, and none failed.
        </span>
      </p>
    );
  }
  const [worst] = figures.errors;
  const isMended = recovered >= bad;
  const StateIcon = isMended ? IconCircleCheck : IconAlertTriangle;
  return (
    <p className={styles.line} data-tone={isMended ? "good" : "bad"}>
      <StateIcon size={20} stroke={1.8} aria-hidden="true" />
      <span>
        {count.format(bad)} of {count.format(total)} {total === 1 ? "run" : "runs"} failed in {period.words}
        {worst !== undefined && flow === undefined && !isMended && (
          <>
            , most often in <bdi>{worst.flowName}</bdi>
          </>
        )}
        {recovered > 0 && `; ${recoveredWords(recovered, bad)}`}.{" "}
        <Link href={runsAddress({ flow, since, status: "failed,timeout" })} className={styles.link}>
          Show failed runs
        </Link>
      </span>
    </p>
  );
}
