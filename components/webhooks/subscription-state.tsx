import { IconBellOff, IconBellRinging } from "@tabler/icons-react";
import styles from "#components/status/tone-mark.module.css";

/** Whether a subscription is sent anything. */
export function SubscriptionState({ active }: { readonly active: boolean }) {
  const Icon = active ? IconBellRinging : IconBellOff;
  return (
    <span className={styles.mark} data-tone={active ? "good" : "quiet"}>
      <Icon size={16} stroke={1.8} aria-hidden="true" />
      {active ? "Active" : "Switched off"}
    </span>
  );
}
