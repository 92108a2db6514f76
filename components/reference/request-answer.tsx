import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { JsonTree } from "#components/json/json-tree.tsx";
import { CopyButton } from "#components/page/copy-button.tsx";
import styles from "./request-form.module.css";
import type { ReceivedAnswer } from "./send-request.ts";

interface RequestAnswerProps {
  readonly answer: ReceivedAnswer | null;
  readonly problem: string | null;
}

/** Status, time, headers and body of the answer, or why there is none. */
export function RequestAnswer({ answer, problem }: RequestAnswerProps) {
  return (
    <div aria-live="polite">
      {problem !== null && <p className={styles.problem}>No response: {problem}. Is the server running?</p>}
      {answer !== null && <ShownAnswer answer={answer} />}
    </div>
  );
}

function ShownAnswer({ answer }: { readonly answer: ReceivedAnswer }) {
  const { status, duration, headers, text, isOpen, isCut } = answer;
  const isOk = status < 400;
  const Icon = isOk ? IconCircleCheck : IconAlertTriangle;
  return (
    <section className={styles.answer} aria-label="Response">
      <header className={styles.answerHead}>
        <span className={styles.status} data-good={isOk || undefined}>
          <Icon size={16} aria-hidden="true" />
          {status} {isOk ? "success" : "refused"}
        </span>
        <span className={styles.duration}>{duration} ms</span>
        {isOpen && <span className={styles.note}>receiving more…</span>}
        {text !== "" && (
          <span className={styles.copy}>
            <CopyButton text={text} label="Copy response" />
          </span>
        )}
      </header>
      <AnswerText text={text} isJson={!isOpen && isJson(headers)} />
      {isCut && <p className={styles.note}>The response is longer than what is shown.</p>}
      <details className={styles.headers}>
        <summary>{headers.length} headers</summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function isJson(headers: ReceivedAnswer["headers"]): boolean {
  return headers.some(([name, value]) => name === "content-type" && /\bjson\b/.test(value));
}

function AnswerText({ text, isJson }: { readonly text: string; readonly isJson: boolean }) {
  if (text === "") return <p className={styles.note}>No body.</p>;
  const value = isJson ? readJson(text) : undefined;
  if (value !== undefined) return <JsonTree value={value} path="answer" label="Response body" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.text} tabIndex={0}>
      {text}
    </pre>
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
