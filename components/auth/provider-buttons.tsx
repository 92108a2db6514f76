"use client";

import { Button } from "@mantine/core";
import { IconBrandGithub, IconBrandGoogle } from "@tabler/icons-react";
import { useState } from "react";
import { unreachable } from "./entry-answer.ts";
import styles from "./entry-form.module.css";
import { signInThrough } from "./sign-in.ts";

export const providerNames: Readonly<Record<string, string>> = { github: "GitHub", google: "Google" };
const icons: Readonly<Record<string, typeof IconBrandGithub>> = { github: IconBrandGithub, google: IconBrandGoogle };

interface ProviderButtonsProps {
  readonly providers: readonly string[];
  readonly next: string;
  /** The text before the name: "Sign in with". */
  readonly verb: string;
}

/** The other ways to sign in, if configured. */
export function ProviderButtons({ providers, next, verb }: ProviderButtonsProps) {
  const [failed, setFailed] = useState(false);
  return (
    <div className={styles.providers}>
      {providers.map((provider) => {
        const Icon = icons[provider];
        return (
          <Button
            key={provider}
            variant="default"
            leftSection={Icon && <Icon size={16} aria-hidden="true" />}
            onClick={() => signInThrough(provider, next).catch(() => setFailed(true))}
          >
            {verb} {providerNames[provider]}
          </Button>
        );
      })}
      {failed && (
        <p role="alert" className={styles.problem}>
          {unreachable.message}
        </p>
      )}
    </div>
  );
}
