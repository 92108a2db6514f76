/** Whether a text is a flow as YAML, as far as its lines tell: the API reads it. */
export function isFlowText(text: string): boolean {
  return /^(trigger|nodes):/m.test(text) && !text.trimStart().startsWith("{");
}
