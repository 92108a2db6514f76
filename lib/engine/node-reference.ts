const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r" };

/** An id between single quotes, as JavaScript parses it back. */
export function quotedId(id: string): string {
  return `'${id.replace(/[\\'\n\r]/g, (character) => escapes[character] ?? character)}'`;
}

/** How an expression reads a node: `$nodes['create-order']`, for any id that a flow may have. */
export function nodeReference(id: string): string {
  return `$nodes[${quotedId(id)}]`;
}
