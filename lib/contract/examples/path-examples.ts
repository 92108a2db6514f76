/** Sample ids, by the part of a path that precedes them. */
const examples: readonly (readonly [pattern: RegExp, id: string])[] = [
  [/^\/flows\/:id/, "flow_01kad6w1m4e8tvm8d9fqzc4x2r"],
  [/^\/executions\/:id/, "exec_01kad7c9p2f6atqxv3m0wz8y5n"],
  [/^\/webhooks\/:id/, "sub_01kad8f3r7h9bvm2x5k1nq6w4t"],
  [/^\/credentials\/:id/, "cred_01kad9h5t8j1cwn3y6m2pr7x5v"],
  [/^\/api-keys\/:id/, "key_01kadam7v9k2dxp4z7n3qs8y6w"],
  [/^\/tables\/:id/, "tbl_01kadcqa2x4e6g8j0m2p4r6t8w"],
  [/^\/services\/:id/, "slack"],
  [/^\/templates\/:id/, "form-to-crm"],
  [/^\/files\/:id/, "file_01kadg9r4v8m2qzx6c1n5wb7ht"],
];

const byName: Readonly<Record<string, string>> = {
  nodeId: "price",
  version: "3",
  testId: "test_01kadd2q4x6hzwr9b5s8tv3m1c",
  operationId: "send-message",
  rowId: "row_01kadcs5b7d9f1h3k5n7q9s1v3",
  backtestId: "bt_01kadf6n2r7j3vzx8b4c9mq5wt",
  executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
  deliveryId: "dlv_01kadbp9w1m3eyq5a8p4rt9z7x",
};

/** A sample value for a path parameter; undefined if unknown. */
export function pathExample(path: string, parameter: string): string | undefined {
  if (parameter !== "id") return byName[parameter];
  return examples.find(([pattern]) => pattern.test(path))?.[1];
}
