import { signIn } from "next-auth/react";

/** Signs in; null when it worked, else why not, in words. */
export async function signInWith(email: string, password: string): Promise<string | null> {
  const answer = await signIn("credentials", { email, password, redirect: false }).catch(() => undefined);
  if (answer === undefined) return "The server did not answer. Check that it is running, then try again.";
  if (answer.ok && !answer.error) return null;
  if (answer.status === 429 || /too many|throttle|rate|wait/i.test(answer.error ?? "")) {
    return "Too many attempts. Wait a few minutes, then try again.";
  }
  if (answer.error === "CredentialsSignin") return "The email or the password is wrong. Check both and try again.";
  return "Signing in did not work on the server's side. Try again in a moment.";
}
