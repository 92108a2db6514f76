import { useSyncExternalStore } from "react";
import { CodeBlock } from "#components/page/copy-button.tsx";
import { Link } from "#components/page/link.tsx";
import { ExampleButton } from "./example-button.tsx";
import styles from "./first-flow.module.css";

const command = (origin: string) => `curl ${origin}/api/v1/flows \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d @examples/order-intake.json`;

/** The empty flows page: explains flows and offers an example. */
export function FirstFlow() {
  // The server, which renders it too, does not know by which address it is reached.
  const origin = useSyncExternalStore(
    () => () => {},
    () => window.location.origin,
    () => "",
  );
  return (
    <div className={styles.first}>
      <Sketch />
      <h2 className={styles.heading}>A flow sends a call through its nodes and answers it.</h2>
      <p className={styles.text}>
        Start with an example: it takes an order, checks it and answers. One click makes it, runs it with a sample
        order, and shows what every node did.
      </p>
      <ExampleButton />
      <div className={styles.curl}>
        <p className={styles.text}>
          Or through the API, with one of your <Link href="/settings/api-keys">API keys</Link>:
        </p>
        <CodeBlock text={command(origin)} label="Copy command" />
      </div>
    </div>
  );
}

function Sketch() {
  return (
    <svg width="216" height="64" viewBox="0 0 216 64" fill="none" aria-hidden="true" className={styles.sketch}>
      <path
        d="M52 32h28M136 26c14 0 14-12 28-12M136 38c14 0 14 12 28 12"
        stroke="var(--canvas-edge)"
        strokeWidth="1.5"
      />
      <rect x="1" y="20" width="52" height="24" rx="6" />
      <rect x="80" y="16" width="56" height="32" rx="6" />
      <rect x="163" y="2" width="52" height="24" rx="6" />
      <rect x="163" y="38" width="52" height="24" rx="6" />
      <g stroke="none">
        <rect x="7" y="26" width="12" height="12" rx="3" fill="var(--family-trigger)" />
        <rect x="87" y="25" width="14" height="14" rx="3" fill="var(--family-logic)" />
        <rect x="169" y="8" width="12" height="12" rx="3" fill="var(--family-data)" />
        <rect x="169" y="44" width="12" height="12" rx="3" fill="var(--family-output)" />
      </g>
    </svg>
  );
}
