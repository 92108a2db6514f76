import type { Metadata } from "next";
import { ApiKeyList } from "#components/settings/api-keys/api-key-list.tsx";

export const metadata: Metadata = { title: "API keys" };

export default function ApiKeysPage() {
  return <ApiKeyList />;
}
