import { IconBellOff, IconEye } from "@tabler/icons-react";
import styles from "#components/status/tone-mark.module.css";

/** Whether a rule looks at anything. */
export function RuleState({ active }: { readonly active: boolean }) {
  const Icon = active ? IconEye : IconBellOff;
  return (
    <span className={styles.mark} data-tone={active ? "good" : "quiet"}>
      <Icon size={16} stroke={1.8} aria-hidden="true" />
      {active ? "Watching" : "Switched off"}
    </span>
  );
}
