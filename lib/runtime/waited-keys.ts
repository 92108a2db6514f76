/** In SQL: the runs that are under a limit and have not ended. */
export const limited = "concurrency_key IS NOT NULL AND status IN ('pending', 'running')";

/**
 * In SQL, for a WITH RECURSIVE: `keys`, under which somebody waits, and a null at the end. They are found one by one in
 * the index, so that ten thousand who wait under one key are not gone through.
 */
export const waitedKeys = `
  keys AS (
    (SELECT concurrency_key AS key FROM execution WHERE held AND ${limited} ORDER BY concurrency_key LIMIT 1)
    UNION ALL
    SELECT (SELECT e.concurrency_key FROM execution e WHERE e.held AND e.concurrency_key > k.key AND e.${limited}
      ORDER BY e.concurrency_key LIMIT 1)
    FROM keys k WHERE k.key IS NOT NULL)`;
