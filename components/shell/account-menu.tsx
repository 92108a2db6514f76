"use client";
import { UnstyledButton } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { type ComponentProps, lazy, Suspense } from "react";
import { useLazyOpen } from "#components/page/use-lazy-open.ts";
import styles from "./account-button.module.css";

const load = () => import("./account-dropdown.tsx");
const AccountDropdown = lazy(load);

/** The account button; its menu is loaded on hover or focus. */
export function AccountMenu(account: Account) {
  const { isOpened, openerProps } = useLazyOpen(load);
  const closed = <AccountButton {...account} {...openerProps} />;
  if (!isOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <AccountDropdown {...account} />
    </Suspense>
  );
}

export interface Account {
  readonly name: string;
  readonly email: string;
}

type AccountButtonProps = Account & ComponentProps<"button">;

/** Who is signed in; opens the account's menu. */
export function AccountButton({ name, email, className, ...button }: AccountButtonProps) {
  return (
    <UnstyledButton
      className={`${styles.target} ${className ?? ""}`}
      aria-label={`Account of ${name} ${email}`}
      aria-haspopup="menu"
      {...button}
    >
      {/* Decorative: as text, it would be part of the button's accessible name. */}
      <span className={styles.initials} data-initials={initialsOf(name)} aria-hidden="true" />
      <span className={styles.who}>
        <span className={styles.name}>{name}</span> <span className={styles.email}>{email}</span>
      </span>
      <IconSelector size={16} aria-hidden="true" className={styles.hint} />
    </UnstyledButton>
  );
}

/** "Ana Maria Lind" is AL. */
export function initialsOf(name: string): string {
  return name
    .trim()
    .replace(/^(.)\S*(.*\s(.))?.*/u, "$1$3")
    .toUpperCase();
}
