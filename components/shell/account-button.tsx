import { Avatar, UnstyledButton } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import styles from "./account-button.module.css";

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
      aria-label={`Account of ${name}`}
      aria-haspopup="menu"
      {...button}
    >
      <Avatar size={28} radius="xl" name={name} color="mill" />
      <span className={styles.who}>
        <span className={styles.name}>{name}</span>
        <span className={styles.email}>{email}</span>
      </span>
      <IconSelector size={16} aria-hidden="true" className={styles.hint} />
    </UnstyledButton>
  );
}
