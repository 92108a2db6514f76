import { CodeBlock } from "#components/page/copy-button.tsx";
import { Link } from "#components/page/link.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { conventions, errorDescriptions } from "#lib/contract/conventions.ts";
import { type ErrorCode, errorStatus } from "#lib/errors.ts";
import styles from "./reference.module.css";
import { InlineText } from "./words.tsx";

const codes = Object.keys(errorStatus) as ErrorCode[];

/** The reference's first page: the API's URL, and its conventions. */
export function ReferenceStart({ base }: { readonly base: string }) {
  return (
    <article className={styles.start}>
      <PageHeader
        title="API reference"
        facts="Everything you can do here, a program can do too."
        actions={
          <>
            <Link className={styles.textLink} href="/settings/api-keys">
              API keys
            </Link>
            <a className={styles.textLink} href="/api/v1/openapi.json" download="millrace-openapi.json">
              OpenAPI 3.1
            </a>
          </>
        }
      />
      <section className={styles.section}>
        <h2>Base URL</h2>
        <CodeBlock text={base} label="Copy base URL" />
      </section>
      {conventions.map(({ title, paragraphs: words }) => (
        <section key={title} className={styles.section}>
          <h2>{title}</h2>
          {words.map((paragraph) => (
            <p key={paragraph}>
              <InlineText text={paragraph} />
            </p>
          ))}
        </section>
      ))}
      <section className={styles.section}>
        <h2>Error codes</h2>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Code</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {codes.map((code) => (
              <tr key={code}>
                <td>{errorStatus[code]}</td>
                <td>
                  <code>{code}</code>
                </td>
                <td>
                  <InlineText text={errorDescriptions[code]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </article>
  );
}
