import { CodeBlock } from "#components/page/code-block.tsx";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import type { Answer } from "./operation.ts";
import { readForms } from "./read-schema.ts";
import styles from "./reference.module.css";
import { SchemaForms } from "./schema-forms.tsx";
import { InlineWords } from "./words.tsx";

interface AnswerListProps {
  readonly document: JsonObject;
  readonly answers: readonly Answer[];
}

/** What comes back, by status: successes open, failures closed. */
export function AnswerList({ document, answers }: AnswerListProps) {
  const [first] = answers;
  return (
    <section className={styles.section} aria-labelledby="answers">
      <h2 id="answers">Answers</h2>
      {answers.map((answer) => (
        <details key={answer.status} className={styles.answer} open={answer === first}>
          <summary>
            <span className={styles.status} data-class={answer.status[0]}>
              {answer.status}
            </span>
            {answer.codes.length === 0 ? (
              <span>
                <InlineWords text={answer.description} />
              </span>
            ) : (
              <span className={styles.codes}>
                {answer.codes.map((code) => (
                  <code key={code}>{code}</code>
                ))}
              </span>
            )}
          </summary>
          <AnswerBody document={document} answer={answer} />
        </details>
      ))}
    </section>
  );
}

function AnswerBody({ document, answer }: { readonly document: JsonObject; readonly answer: Answer }) {
  const { content, headers, codes, description } = answer;
  const payload = payloadOf(content?.schema);
  const forms = codes.length > 0 ? [] : readForms(document, payload.schema);
  const example = content?.example;
  return (
    <div className={styles.answerBody}>
      {codes.length > 0 && (
        <p>
          <InlineWords text={description} />
        </p>
      )}
      {content !== null && content.type !== "application/json" && <p className={styles.facts}>{content.type}</p>}
      {forms.length > 0 && (
        <div>
          {payload.words !== "" && (
            <p className={styles.facts}>
              <InlineWords text={payload.words} />
            </p>
          )}
          <SchemaForms forms={forms} />
        </div>
      )}
      {example !== undefined && (
        <CodeBlock
          text={typeof example === "string" ? example : JSON.stringify(example, null, 2)}
          label={`Copy the example of ${answer.status}`}
        />
      )}
      {headers.length > 0 && (
        <details className={styles.inside}>
          <summary>{headers.length === 1 ? "1 header" : `${headers.length} headers`}</summary>
          <ul className={styles.fields}>
            {headers.map(({ name, description }) => (
              <li key={name} className={styles.field}>
                <p className={styles.fieldHead}>
                  <code className={styles.fieldName}>{name}</code>
                </p>
                <p className={styles.fieldWords}>
                  <InlineWords text={description} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** What stands in the envelope, which is the same everywhere; a body without one as a whole. */
function payloadOf(schema: JsonObject | undefined): { readonly schema: Json | undefined; readonly words: string } {
  const fields = schema?.properties;
  if (!isJsonObject(fields) || !("success" in fields)) return { schema, words: "" };
  const isList = isJsonObject(fields.data) && fields.data.type === "array";
  return { schema: fields.data, words: isList ? "Each item of `data`" : "In `data`" };
}
