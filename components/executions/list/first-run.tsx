import { LinkButton } from "#components/page/link-button.tsx";
import styles from "#components/page/notice.module.css";

/** The runs page before anything has run. */
export function FirstRun() {
  return (
    <div className={styles.notice}>
      <h2 className={styles.heading}>
        A run is one pass through a flow: what came in, what each node did, what went out.
      </h2>
      <p className={styles.text}>Open a flow and press Run, or call its trigger URL. The run shows up here at once.</p>
      <LinkButton href="/flows">Choose a flow</LinkButton>
    </div>
  );
}
