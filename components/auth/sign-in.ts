/** Why signing in did not work; `codeRequired` is not a failure but asks for a code. */
interface SignInFailure {
  readonly message: string;
  readonly codeRequired: boolean;
}

const words: Readonly<Record<string, string>> = {
  WrongPassword: "The email or password is wrong. Check both and try again.",
  CodeRequired: "Enter the code that your authenticator app shows.",
  WrongCode: "The code is wrong, or was used before. Wait for the next one and try again.",
  TooManyAttempts: "Too many attempts. Wait a minute, then try again.",
  NotInvited: "This account has no invitation here. Ask an owner of the workspace for one.",
  ConnectFirst:
    "This address already has an account here. Sign in with your password, then connect the other account in your settings.",
  ConnectedToOther: "That account is connected to another user here.",
  OAuthCallback: "The other site did not confirm who you are. Try again.",
  AccessDenied: "The other site did not confirm who you are. Try again.",
};
const otherwise = "Sign-in failed on the server. Try again in a moment.";

/** The meaning of an `error` in the sign-in page's URL. */
export function messageOfError(error: string): string {
  return Object.hasOwn(words, error) ? (words[error] ?? otherwise) : otherwise;
}

interface Typed {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

/** Signs in; null on success, else the reason. */
export async function signInWith({ email, password, code = "" }: Typed): Promise<SignInFailure | null> {
  const fields = { email, password, code, callbackUrl: "/" };
  const answer = await callAuth("callback/credentials", fields).catch(() => undefined);
  if (answer === undefined) {
    return { message: "The server did not answer. Check that it is running, then try again.", codeRequired: false };
  }
  // Redirects onward, or back here with the reason, or to next-auth's own page if it did not accept the form.
  const error = answer.searchParams.get("error") ?? (answer.pathname === "/" ? null : "");
  return error === null ? null : { message: messageOfError(error), codeRequired: error === "CodeRequired" };
}

/** Leaves for GitHub or Google, which return to `next`. */
export async function signInThrough(provider: string, next: string): Promise<void> {
  window.location.assign(await callAuth(`signin/${provider}`, { callbackUrl: next }));
}

/**
 * Calls next-auth as its own browser client does (which would be a tenth of the page's scripts), and returns the URL in
 * its answer. Throws if there is none.
 */
export async function callAuth(path: string, fields: Readonly<Record<string, string>>): Promise<URL> {
  const response = await fetch("/api/auth/csrf");
  const { csrfToken }: { csrfToken: string } = await response.json();
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  const answer = await fetch(`/api/auth/${path}`, { method: "POST", body });
  const { url }: { url: string } = await answer.json();
  return new URL(url, window.location.href);
}
