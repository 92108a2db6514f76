import type { Examples } from "./example.ts";

const createdAt = "2026-01-31T09:30:00.000Z";

const column = (id: string, name: string, type: string, flags: object = {}) => {
  return { id, name, type, unique: false, indexed: false, required: false, ...flags };
};

const table = {
  id: "tbl_01kadcqa2x4e6g8j0m2p4r6t8w",
  name: "customers",
  columns: [
    column("c1", "email", "text", { unique: true, indexed: true, required: true }),
    column("c2", "orders", "number"),
    column("c3", "since", "time", { indexed: true }),
  ],
  rowCount: 1,
  bytes: 58,
  createdAt,
  updatedAt: createdAt,
};

const row = {
  id: "row_01kadcs5b7d9f1h3k5n7q9s1v3",
  version: 1,
  createdAt,
  updatedAt: createdAt,
  email: "ada@example.com",
  orders: 3,
  since: "2026-01-31T00:00:00.000Z",
};
const values = { email: row.email, orders: row.orders, since: "2026-01-31" };
const updatedRow = { ...row, version: 2, orders: 4 };

export const tableExamples: Examples = {
  "GET /tables": { answer: table },
  "POST /tables": {
    body: {
      name: table.name,
      columns: [
        { name: "email", type: "text", unique: true, required: true },
        { name: "orders", type: "number" },
        { name: "since", type: "time", indexed: true },
      ],
    },
    answer: { ...table, rowCount: 0, bytes: 0 },
  },
  "GET /tables/:id": { answer: table },
  "PATCH /tables/:id": { body: { name: "clients" }, answer: { ...table, name: "clients" } },
  "DELETE /tables/:id": {},
  "GET /tables/:id/rows": { answer: { rows: [row], nextCursor: null } },
  "GET /tables/:id/rows/count": { answer: { count: 1 } },
  "POST /tables/:id/rows": { body: values, answer: row },
  "GET /tables/:id/rows/:rowId": { answer: row },
  "PATCH /tables/:id/rows/:rowId": { body: { orders: 4 }, answer: updatedRow },
  "DELETE /tables/:id/rows/:rowId": {},
  "POST /tables/:id/rows/:rowId/increment": { body: { column: "orders", by: 1 }, answer: updatedRow },
  "POST /tables/:id/rows/upsert": { body: { key: "email", row: { ...values, orders: 4 } }, answer: updatedRow },
  "POST /tables/:id/rows/bulk": {
    body: { insert: [values], update: [], delete: [] },
    answer: { inserted: [row.id], updated: 0, deleted: 0 },
  },
  "GET /tables/:id/csv": { answer: "id,version,createdAt,updatedAt,email,orders,since\r\n" },
  "POST /tables/:id/csv": {
    body: "email,orders,since\r\nada@example.com,3,2026-01-31\r\n",
    answer: { inserted: 1, updated: 0 },
  },
};
