const secretBytes = 24;

/** A signing secret in the form that Standard Webhooks libraries take. */
export function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
