/** `*.example.com` stands for every name below example.com, and not for example.com itself. No list: every host. */
export function mayBeSentTo(allowedHosts: readonly string[], hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return (
    allowedHosts.length === 0 ||
    allowedHosts.some((entry) => {
      const allowed = entry.trim().toLowerCase();
      return allowed.startsWith("*.") ? host.endsWith(allowed.slice(1)) : host === allowed;
    })
  );
}

/** Why a credential did not go to a host. */
export function hostFailure(name: string, allowedHosts: readonly string[], hostname: string): string {
  return `The credential "${name}" may not be sent to ${hostname}: it is bound to ${allowedHosts.join(", ")}`;
}
