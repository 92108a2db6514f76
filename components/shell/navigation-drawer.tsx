"use client";

import { Drawer } from "@mantine/core";
import { type Account, AccountMenu } from "./account-menu.tsx";
import { Navigation } from "./navigation.tsx";
import styles from "./navigation-drawer.module.css";

interface NavigationDrawerProps {
  readonly account: Account;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The navigation for narrow screens. */
export default function NavigationDrawer({ account, opened, onClose }: NavigationDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} size={280} title="Millrace">
      <div className={styles.drawer}>
        <Navigation onGo={onClose} />
        <AccountMenu {...account} />
      </div>
    </Drawer>
  );
}
