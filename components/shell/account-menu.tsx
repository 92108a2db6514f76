"use client";

import { lazy, Suspense, useState } from "react";
import { type Account, AccountButton } from "./account-button.tsx";

const load = () => import("./account-dropdown.tsx");
const AccountDropdown = lazy(load);

/** The account's button; the menu behind it is fetched when somebody reaches for it. */
export function AccountMenu(account: Account) {
  const [wanted, setWanted] = useState(false);
  const closed = (
    <AccountButton
      {...account}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <AccountDropdown {...account} />
    </Suspense>
  );
}
