"use client";

import { ActionIcon, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import { IconMenu2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu.tsx";
import styles from "./app-frame.module.css";
import { Navigation } from "./navigation.tsx";
import { ProductMark } from "./product-mark.tsx";

interface AppFrameProps {
  readonly workspaceName: string;
  readonly name: string;
  readonly email: string;
  readonly children: ReactNode;
}

/** The frame of every signed-in page: navigation at the left, or behind a button where there is no room for it. */
export function AppFrame({ workspaceName, name, email, children }: AppFrameProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const brand = (
    <div className={styles.brand}>
      <span className={styles.mark}>
        <ProductMark size={22} />
      </span>
      <span className={styles.names}>
        <span className={styles.product}>Millrace</span>
        <span className={styles.workspace}>{workspaceName}</span>
      </span>
    </div>
  );
  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <header className={styles.bar}>
        {brand}
        <ActionIcon variant="subtle" size={40} onClick={open} aria-label="Open the navigation">
          <IconMenu2 size={20} />
        </ActionIcon>
      </header>
      <aside className={styles.side}>
        {brand}
        <Navigation />
        <div className={styles.account}>
          <AccountMenu name={name} email={email} />
        </div>
      </aside>
      <Drawer opened={opened} onClose={close} size={280} title="Millrace" closeButtonProps={{ "aria-label": "Close" }}>
        <div className={styles.drawer}>
          <Navigation onGo={close} />
          <AccountMenu name={name} email={email} />
        </div>
      </Drawer>
      <main id="content" tabIndex={-1} className={styles.content}>
        {children}
      </main>
      <Notifications position="bottom-right" autoClose={4000} />
    </div>
  );
}
