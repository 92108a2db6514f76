/** The pages of the settings, in their order. */
export const settingsPlaces = [
  { label: "API keys", path: "/settings/api-keys" },
  { label: "Members", path: "/settings/members" },
  { label: "Account", path: "/settings/account" },
  { label: "Workspace", path: "/settings/workspace" },
  { label: "Audit log", path: "/settings/audit-log" },
] as const;
