import type { Documented } from "./documented.ts";

const shop = "/admin/api/2025-07";

/** Requests from the documentation of commerce and storage services. */
export const trade: Documented = {
  stripe: [
    [
      "create-customer",
      {},
      { email: "a@b.test", metadata: { order: "o-1" } },
      "POST /v1/customers",
      "email=a%40b.test&metadata%5Border%5D=o-1",
    ],
    ["update-customer", { customer: "cus_1" }, { name: "Ann" }, "POST /v1/customers/cus_1", "name=Ann"],
    ["list-customers", { email: "a@b.test", limit: 5 }, {}, "GET /v1/customers?email=a%40b.test&limit=5"],
    [
      "create-payment-intent",
      {},
      { amount: 1099, currency: "usd" },
      "POST /v1/payment_intents",
      "amount=1099&currency=usd",
    ],
    [
      "create-checkout-session",
      {},
      { mode: "payment", line_items: [{ price: "price_1", quantity: 2 }], success_url: "https://x.test" },
      "POST /v1/checkout/sessions",
      "mode=payment&line_items%5B0%5D%5Bprice%5D=price_1&line_items%5B0%5D%5Bquantity%5D=2&success_url=https%3A%2F%2Fx.test",
    ],
    ["create-refund", {}, { payment_intent: "pi_1", amount: 5 }, "POST /v1/refunds", "payment_intent=pi_1&amount=5"],
    ["list-charges", { customer: "cus_1" }, {}, "GET /v1/charges?customer=cus_1"],
    ["create-invoice", {}, { customer: "cus_1" }, "POST /v1/invoices", "customer=cus_1"],
    ["list-subscriptions", { status: "all" }, {}, "GET /v1/subscriptions?status=all"],
    ["cancel-subscription", { subscription: "sub_1" }, {}, "DELETE /v1/subscriptions/sub_1"],
  ],
  hubspot: [
    ["create-contact", {}, { properties: { email: "a@b.test" } }, "POST /crm/v3/objects/contacts", "same"],
    ["create-deal", {}, { properties: { dealname: "D" } }, "POST /crm/v3/objects/deals", "same"],
    [
      "create-record",
      { objectType: "tickets" },
      { properties: { subject: "S" } },
      "POST /crm/v3/objects/tickets",
      "same",
    ],
    [
      "read-record",
      { objectType: "contacts", id: "a@b.test", idProperty: "email" },
      {},
      "GET /crm/v3/objects/contacts/a%40b.test?idProperty=email",
    ],
    [
      "update-record",
      { objectType: "deals", id: "1" },
      { properties: { amount: "5" } },
      "PATCH /crm/v3/objects/deals/1",
      "same",
    ],
    ["list-records", { objectType: "companies", limit: 5 }, {}, "GET /crm/v3/objects/companies?limit=5"],
    [
      "search-records",
      { objectType: "contacts" },
      { query: "ann", limit: 5 },
      "POST /crm/v3/objects/contacts/search",
      "same",
    ],
    ["archive-record", { objectType: "contacts", id: "1" }, {}, "DELETE /crm/v3/objects/contacts/1"],
  ],
  shopify: [
    ["list-orders", { status: "any", limit: 5 }, {}, `GET ${shop}/orders.json?status=any&limit=5`],
    ["read-order", { id: "450789469" }, {}, `GET ${shop}/orders/450789469.json`],
    ["update-order", { id: "1" }, { note: "n" }, `PUT ${shop}/orders/1.json`, { order: { note: "n" } }],
    [
      "create-product",
      {},
      { title: "T", status: "draft" },
      `POST ${shop}/products.json`,
      { product: { title: "T", status: "draft" } },
    ],
    ["list-products", { vendor: "V" }, {}, `GET ${shop}/products.json?vendor=V`],
    ["create-customer", {}, { email: "a@b.test" }, `POST ${shop}/customers.json`, { customer: { email: "a@b.test" } }],
    ["find-customers", { query: "email:a@b.test" }, {}, `GET ${shop}/customers/search.json?query=email%3Aa%40b.test`],
    [
      "set-stock",
      {},
      { location_id: 1, inventory_item_id: 2, available: 3 },
      `POST ${shop}/inventory_levels/set.json`,
      "same",
    ],
    ["query", {}, { query: "{ shop { name } }" }, `POST ${shop}/graphql.json`, "same"],
  ],
  s3: [
    ["list-objects", { bucket: "b", prefix: "a/", "max-keys": 5 }, {}, "GET /b?list-type=2&prefix=a%2F&max-keys=5"],
    ["download-object", { bucket: "b", key: "a/b c.txt" }, {}, "GET /b/a/b%20c.txt"],
    ["upload-object", { bucket: "b", key: "a.bin" }, { content: "FILE" }, "PUT /b/a.bin", "the file's bytes"],
    ["write-text", { bucket: "b", key: "a.txt" }, { content: "hi" }, "PUT /b/a.txt", "hi"],
    ["copy-object", { bucket: "b", key: "new", "x-amz-copy-source": "/b/old" }, {}, "PUT /b/new"],
    ["delete-object", { bucket: "b", key: "a.txt" }, {}, "DELETE /b/a.txt"],
    ["list-buckets", {}, {}, "GET /"],
  ],
};
