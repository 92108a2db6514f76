/** Of the queries of a flow's tests. */
export const testsKey = (flowId: string) => ["flows", "tests", flowId] as const;
