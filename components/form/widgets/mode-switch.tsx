import styles from "../field.module.css";

interface ModeSwitchProps<Mode extends string> {
  /** Each mode's name. */
  readonly modes: Readonly<Record<Mode, string>>;
  readonly mode: Mode;
  readonly onChoose: (mode: Mode) => void;
  readonly label: string;
}

/** Switches between the ways to write a value. */
export function ModeSwitch<Mode extends string>({ modes, mode, onChoose, label }: ModeSwitchProps<Mode>) {
  return (
    <fieldset className={styles.modes} aria-label={label}>
      {(Object.keys(modes) as Mode[]).map((key) => (
        <button
          key={key}
          type="button"
          className={styles.mode}
          aria-pressed={mode === key}
          onClick={() => onChoose(key)}
        >
          {modes[key]}
        </button>
      ))}
    </fieldset>
  );
}
