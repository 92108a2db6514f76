import { type Icon, IconBellOff } from "@tabler/icons-react";
import styles from "./tone-mark.module.css";

interface ActiveMarkProps {
  readonly active: boolean;
  /** Its label while active: "Watching". */
  readonly words: string;
  readonly icon: Icon;
}

/** Whether something is active or switched off. */
export function ActiveMark({ active, words, icon }: ActiveMarkProps) {
  const Shown = active ? icon : IconBellOff;
  return (
    <span className={styles.mark} data-tone={active ? "good" : "quiet"}>
      <Shown size={16} stroke={1.8} aria-hidden="true" />
      {active ? words : "Disabled"}
    </span>
  );
}
