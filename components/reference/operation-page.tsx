import { CodeBlock } from "#components/page/code-block.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import type { JsonObject } from "#lib/engine/json.ts";
import { AnswerList } from "./answer-list.tsx";
import { codeSamples } from "./code-sample.ts";
import { CodeSamples } from "./code-samples.tsx";
import { MethodMark } from "./method-mark.tsx";
import type { Operation } from "./operation.ts";
import { OperationAccess } from "./operation-access.tsx";
import { ParameterList } from "./parameter-list.tsx";
import { readForms } from "./read-schema.ts";
import styles from "./reference.module.css";
import { SchemaForms } from "./schema-forms.tsx";
import { TryOperation } from "./try-operation.tsx";
import { tryableOf } from "./tryable.ts";
import { Words } from "./words.tsx";

interface OperationPageProps {
  readonly document: JsonObject;
  readonly operation: Operation;
}

/** All of one operation: what it takes and answers at the left, how it is called at the right. */
export function OperationPage({ document, operation }: OperationPageProps) {
  const { id, method, path, tag, summary, description, body, isBodyRequired, answers } = operation;
  const forms = readForms(document, body?.schema);
  return (
    <article id={id}>
      <PageHeader
        title={summary}
        parent={{ label: tag, path: "/reference" }}
        facts={
          <span className={styles.address}>
            <MethodMark method={method} />
            <code>{path}</code>
          </span>
        }
      />
      <div className={styles.columns}>
        <div className={styles.intro}>
          {description !== "" && <Words text={description} />}
          {!operation.isEvent && <OperationAccess access={operation.access} />}
        </div>
        <div className={styles.calls}>
          {operation.isEvent ? (
            <CodeBlock text={JSON.stringify(body?.example, null, 2)} label="Copy the example" />
          ) : (
            <>
              <TryOperation operation={tryableOf(operation)} />
              <CodeSamples samples={codeSamples(operation)} />
            </>
          )}
        </div>
        <div className={styles.details}>
          <ParameterList operation={operation} />
          {body !== null && (
            <section className={styles.section} aria-labelledby="request-body">
              <h2 id="request-body">
                Body <span className={styles.note}>{isBodyRequired ? "required" : "may be left out"}</span>
              </h2>
              {forms.length > 0 ? <SchemaForms forms={forms} /> : <p>Any JSON.</p>}
            </section>
          )}
          <AnswerList document={document} answers={answers} />
        </div>
      </div>
    </article>
  );
}
