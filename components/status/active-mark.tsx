import { type Icon, IconBellOff } from "@tabler/icons-react";
import styles from "./tone-mark.module.css";

interface ActiveMarkProps {
  readonly active: boolean;
  /** What it is called while it is at work: "Watching". */
  readonly words: string;
  readonly icon: Icon;
}

/** Whether something is at work, or switched off. */
export function ActiveMark({ active, words, icon }: ActiveMarkProps) {
  const Shown = active ? icon : IconBellOff;
  return (
    <span className={styles.mark} data-tone={active ? "good" : "quiet"}>
      <Shown size={16} stroke={1.8} aria-hidden="true" />
      {active ? words : "Switched off"}
    </span>
  );
}
