const orders = [
  { id: "a", total: 4.5, note: "x" },
  { id: "b", total: 10.5 },
  { id: "c", total: 20 },
];

/** What expressions read that are evaluated both in the server and in the sandbox. */
export const scope = {
  $trigger: {
    body: { n: 3, zero: 0, text: "abc", none: null, yes: true, list: [1, "b", null], deep: { "": 7, x: {} }, orders },
  },
  $vars: {
    ...JSON.parse('{"limit": 2, "__proto__": {"a": 1}, "constructor": "own"}'),
    long: "a".repeat(30_000),
  },
};
