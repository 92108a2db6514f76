/**
 * Asks next-auth for something, as its own client for browsers does (which would be a tenth of what the page loads), and
 * gives the address that it answers with. Throws when there is no such answer.
 */
export async function callAuth(path: string, fields: Readonly<Record<string, string>>): Promise<URL> {
  const asked = await fetch("/api/auth/csrf");
  const { csrfToken }: { csrfToken: string } = await asked.json();
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  const answer = await fetch(`/api/auth/${path}`, { method: "POST", body });
  const { url }: { url: string } = await answer.json();
  return new URL(url, window.location.href);
}
