"use client";

import { useState } from "react";
import { CodeBlock } from "#components/page/copy-button.tsx";
import type { CodeSample } from "./code-sample.ts";
import styles from "./reference.module.css";

/** The same call in several languages, one of them visible. */
export function CodeSamples({ samples }: { readonly samples: readonly CodeSample[] }) {
  const [chosen, choose] = useState(samples[0]?.language);
  const sample = samples.find(({ language }) => language === chosen);
  return (
    <section className={styles.samples} aria-label="Code samples">
      <fieldset className={styles.languages} aria-label="Language">
        {samples.map(({ language }) => (
          <button key={language} type="button" aria-pressed={language === chosen} onClick={() => choose(language)}>
            {language}
          </button>
        ))}
      </fieldset>
      {sample && <CodeBlock text={sample.text} label={`Copy the ${sample.language} sample`} />}
    </section>
  );
}
