/**
 * A message as it stands below its own field or node: messages are written to follow a name ("is required"), which is
 * not repeated there ("Required").
 */
export function problemText(message: string): string {
  if (message.startsWith("is required")) return `Required${message.slice("is required".length)}`;
  // A name at the beginning, such as `apiKey` or `items[0]`, stays as it is.
  return /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
}
