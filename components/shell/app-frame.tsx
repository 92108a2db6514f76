"use client";

import { ActionIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { keepLoading } from "#components/page/use-lazy-open.ts";
import { PaletteButton, PaletteHost } from "#components/palette/palette-button.tsx";
import { openPalette } from "#components/palette/palette-loader.ts";
import { type Account, AccountMenu } from "./account-menu.tsx";
import styles from "./app-frame.module.css";
import { forgetEarlyClick, repeatEarlyInput } from "./early-input.ts";
import { Navigation } from "./navigation.tsx";
import { ProductMark } from "./product-mark.tsx";

const NavigationDrawer = lazy(() => import("./navigation-drawer.tsx"));
const Toaster = lazy(() => keepLoading(() => import("#components/toast/toaster.tsx")));

interface AppFrameProps {
  readonly userId: string;
  readonly workspaceName: string;
  readonly account: Account;
  readonly children: ReactNode;
}

/** The frame of every signed-in page: navigation on the left, or behind a button on narrow screens. */
export function AppFrame({ userId, workspaceName, account, children }: AppFrameProps) {
  const [opened, drawer] = useDisclosure(false);
  const [isRequested, setRequested] = useState(false);
  const [isShown, setShown] = useState(false);
  // Not needed for the first paint.
  useEffect(() => setShown(true), []);
  const open = () => {
    setRequested(true);
    drawer.open();
  };
  useEffect(() => {
    // Next's router, around this, learns of changes of the URL only once its own effects have run.
    const timer = setTimeout(() => repeatEarlyInput(openPalette));
    return () => clearTimeout(timer);
  }, []);
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
    <div className={styles.frame} onClickCapture={forgetEarlyClick}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <header className={styles.bar}>
        {brand}
        <span className={styles.tools}>
          <ActionIcon variant="subtle" size={40} onClick={openPalette} aria-label="Search">
            <IconSearch size={20} />
          </ActionIcon>
          <ActionIcon variant="subtle" size={40} onClick={open} aria-label="Open the navigation">
            <IconMenu2 size={20} />
          </ActionIcon>
        </span>
      </header>
      <aside className={styles.side}>
        {brand}
        <PaletteButton />
        <Navigation />
        <div className={styles.account}>
          <AccountMenu {...account} />
        </div>
      </aside>
      {isRequested && (
        <Suspense>
          <NavigationDrawer account={account} opened={opened} onClose={drawer.close} />
        </Suspense>
      )}
      <PaletteHost />
      {isShown && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
      <main id="content" tabIndex={-1} className={styles.content} data-user={userId}>
        {children}
      </main>
    </div>
  );
}
