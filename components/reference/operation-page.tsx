import { CodeBlock } from "#components/page/copy-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { roleScopes, roles, type Scope, scopes } from "#lib/access.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { codeSamples } from "./code-sample.ts";
import { CodeSamples } from "./code-samples.tsx";
import { type Access, type Answer, type Operation, tryOperationOf } from "./operation.ts";
import { readForms } from "./read-schema.ts";
import styles from "./reference.module.css";
import { ParameterList, SchemaForms } from "./schema-forms.tsx";
import { TryOperation } from "./try-operation.tsx";
import { InlineText, MethodMark, Words } from "./words.tsx";

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

/** Who may call it: the key scopes and member roles. */
function OperationAccess({ access }: { readonly access: Access }) {
  if (access.isOpen) return <p className={styles.access}>Needs no key.</p>;
  const needed = access.scopes.filter(isScope);
  const allowed = roles.filter((role) => needed.every((scope) => roleScopes[role].includes(scope)));
  const people = allowed.length === roles.length ? "every member" : allowed.join(" or ");
  return (
    <dl className={styles.access}>
      <dt>Keys</dt>
      <dd>{access.takesKeys ? <ForKeys scopes={needed} /> : "not accepted: for signed-in people only"}</dd>
      <dt>People</dt>
      <dd>{people}</dd>
    </dl>
  );
}

function ForKeys({ scopes }: { readonly scopes: readonly Scope[] }) {
  if (scopes.length === 0) return "any";
  return (
    <>
      with{" "}
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </>
  );
}

interface OperationPageProps {
  readonly document: JsonObject;
  readonly operation: Operation;
}

/** One complete operation: its input and answers on the left, sample calls on the right. */
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
              <TryOperation operation={tryOperationOf(operation)} />
              <CodeSamples samples={codeSamples(operation)} />
            </>
          )}
        </div>
        <div className={styles.details}>
          <ParameterList operation={operation} />
          {body !== null && (
            <section className={styles.section} aria-labelledby="request-body">
              <h2 id="request-body">
                Body <span className={styles.note}>{isBodyRequired ? "required" : "optional"}</span>
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

interface AnswerListProps {
  readonly document: JsonObject;
  readonly answers: readonly Answer[];
}

/** Answers by status: successes open, failures collapsed. */
function AnswerList({ document, answers }: AnswerListProps) {
  const [first] = answers;
  return (
    <section className={styles.section} aria-labelledby="answers">
      <h2 id="answers">Responses</h2>
      {answers.map((answer) => (
        <details key={answer.status} className={styles.answer} open={answer === first}>
          <summary>
            <span className={styles.status} data-class={answer.status[0]}>
              {answer.status}
            </span>
            {answer.codes.length === 0 ? (
              <span>
                <InlineText text={answer.description} />
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
          <InlineText text={description} />
        </p>
      )}
      {content !== null && content.type !== "application/json" && <p className={styles.facts}>{content.type}</p>}
      {forms.length > 0 && (
        <div>
          {payload.words !== "" && (
            <p className={styles.facts}>
              <InlineText text={payload.words} />
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
                  <InlineText text={description} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The envelope's content, because the envelope never differs; a body without one as a whole. */
function payloadOf(schema: JsonObject | undefined): { readonly schema: Json | undefined; readonly words: string } {
  const fields = schema?.properties;
  if (!isJsonObject(fields) || !("success" in fields)) return { schema, words: "" };
  const isList = isJsonObject(fields.data) && fields.data.type === "array";
  return { schema: fields.data, words: isList ? "Each item of `data`" : "In `data`" };
}
