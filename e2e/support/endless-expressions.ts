/** Expressions of every kind that the sandbox must stop: by time limit, by memory limit, by force. */
export const endlessExpressions: readonly string[] = [
  "(() => { for (;;) {} })()",
  "new Array(1e9) + ''",
  "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
  "'a'.repeat(2 ** 28)",
  "/(a+)+$/.test('a'.repeat(40) + 'b')",
  "(function f() { return f() + f() })()",
];
