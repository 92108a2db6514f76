"use client";

import { lazy, Suspense } from "react";
import { useReach } from "#components/page/use-reach.ts";
import { type Account, AccountButton } from "./account-button.tsx";

const load = () => import("./account-dropdown.tsx");
const AccountDropdown = lazy(load);

/** The account's button; the menu behind it is fetched when somebody reaches for it. */
export function AccountMenu(account: Account) {
  const { wanted, reached } = useReach(load);
  const closed = <AccountButton {...account} {...reached} />;
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <AccountDropdown {...account} />
    </Suspense>
  );
}
