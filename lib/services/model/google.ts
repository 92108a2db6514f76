import type { CredentialKind } from "./service.ts";

/** Credentials for Google's services: an OAuth application with a person's consent to these scopes. */
export function googleCredentials(scopes: string): readonly CredentialKind[] {
  return [
    {
      type: "oauth2",
      help: "An OAuth client of type “Web application”, from “APIs & Services › Credentials” of the Google Cloud console.",
      authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent",
      tokenUrl: "https://oauth2.googleapis.com/token",
      scopes,
    },
    { type: "bearer", help: "An access token, for testing: it expires within an hour." },
  ];
}
