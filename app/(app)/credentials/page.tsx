import type { Metadata } from "next";
import { CredentialList } from "#components/credentials/credential-list.tsx";

export const metadata: Metadata = { title: "Credentials" };

export default function CredentialsPage() {
  return <CredentialList />;
}
