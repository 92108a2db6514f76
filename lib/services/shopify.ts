import { z } from "zod";
import {
  answer,
  choice,
  flag,
  integer,
  list,
  listOf,
  object,
  someNumber,
  someObject,
  someText,
  text,
} from "./model/fields.ts";
import { type CallValues, defineService } from "./model/service.ts";

const docs = (place: string) => `https://shopify.dev/docs/api/admin-rest/latest/resources/${place}`;
const id = text("Id", "The number that Shopify gave it.");
const limit = integer("Limit", "The page size, up to 250.", 250).optional();
const inside =
  (name: string) =>
  ({ body }: CallValues) => ({ [name]: body });
/** The next page's URL is in a header. */
const pagesOf = (name: string) => ({
  next: `($response.headers.link ?? "").split(",").filter((one) => one.includes('rel="next"')).map((one) => one.slice(one.indexOf("<") + 1, one.indexOf(">")))[0]`,
  items: `$response.body.${name}`,
});
const at = "/admin/api/2025-07";

/** https://shopify.dev/docs/api/admin-rest: every shop has its own URL; paths name the version. */
export const shopify = defineService({
  id: "shopify",
  name: "Shopify",
  icon: { letters: "Sh", color: "#4a7c1f" },
  description: "Orders, products, customers and stock of a Shopify shop.",
  baseUrl: null,
  baseUrlExample: "https://your-shop.myshopify.com",
  credentials: [
    {
      type: "header",
      name: "X-Shopify-Access-Token",
      help: "The value is the Admin API access token of a custom app.",
    },
  ],
  // GraphQL reports errors with status 200, for example after too many requests.
  refusal: (body) => {
    const { errors } = (body ?? {}) as { errors?: unknown };
    if (!Array.isArray(errors) || errors.length === 0) return null;
    return String((errors[0] as { message?: unknown } | null)?.message ?? "it answered with errors");
  },
  operations: () => [
    {
      id: "list-orders",
      name: "List orders",
      method: "GET",
      path: `${at}/orders.json`,
      parameters: z.object({
        status: choice("Status", "Default: open.", ["open", "closed", "cancelled", "any"]).optional(),
        created_at_min: text("Since", "Only those created after this time, in ISO 8601.").optional(),
        fields: text("Fields", "Comma-separated names.").optional(),
        limit,
      }),
      answer: answer({ orders: listOf({ id: someNumber, name: someText, email: someText, total_price: someText }) }),
      pages: pagesOf("orders"),
      docs: docs("order#get-orders"),
    },
    {
      id: "read-order",
      name: "Read an order",
      method: "GET",
      path: `${at}/orders/{id}.json`,
      parameters: z.object({ id }),
      answer: answer({ order: answer({ id: someNumber, name: someText, line_items: z.array(someObject) }) }),
      docs: docs("order#get-orders-order-id"),
    },
    {
      id: "update-order",
      name: "Update an order",
      method: "PUT",
      path: `${at}/orders/{id}.json`,
      parameters: z.object({ id }),
      body: z.object({
        note: text("Note", "For people in the shop.").optional(),
        tags: text("Tags", "Comma-separated.").optional(),
        email: text("Email", "The customer's address.").optional(),
      }),
      send: inside("order"),
      answer: answer({ order: answer({ id: someNumber, name: someText }) }),
      docs: docs("order#put-orders-order-id"),
    },
    {
      id: "create-product",
      name: "Create a product",
      method: "POST",
      path: `${at}/products.json`,
      body: z.object({
        title: text("Title", "The product's name."),
        body_html: text("Description", "As HTML.").optional(),
        vendor: text("Vendor", "Who makes it.").optional(),
        product_type: text("Type", "What kind of product it is.").optional(),
        status: choice("Status", "Whether it is sold.", ["active", "draft", "archived"]).optional(),
        variants: list("Variants", 'Such as [{"price": "10.00", "sku": "A-1"}].').optional(),
      }),
      send: inside("product"),
      answer: answer({ product: answer({ id: someNumber, title: someText, handle: someText }) }),
      docs: docs("product#post-products"),
    },
    {
      id: "list-products",
      name: "List products",
      method: "GET",
      path: `${at}/products.json`,
      parameters: z.object({
        title: text("Title", "Only those with this name.").optional(),
        vendor: text("Vendor", "Only those of this vendor.").optional(),
        limit,
      }),
      answer: answer({ products: listOf({ id: someNumber, title: someText, variants: z.array(someObject) }) }),
      pages: pagesOf("products"),
      docs: docs("product#get-products"),
    },
    {
      id: "create-customer",
      name: "Create a customer",
      method: "POST",
      path: `${at}/customers.json`,
      body: z.object({
        email: text("Email", "The customer's address.").optional(),
        first_name: text("First name", "The customer's first name.").optional(),
        last_name: text("Last name", "The customer's last name.").optional(),
        phone: text("Phone", "With the country code.").optional(),
        tags: text("Tags", "Comma-separated.").optional(),
        verified_email: flag("Verified", "The address is known to be the customer's.").optional(),
      }),
      send: inside("customer"),
      answer: answer({ customer: answer({ id: someNumber, email: someText }) }),
      docs: docs("customer#post-customers"),
    },
    {
      id: "find-customers",
      name: "Find customers",
      method: "GET",
      path: `${at}/customers/search.json`,
      parameters: z.object({ query: text("Search", "Such as email:ann@example.com."), limit }),
      answer: answer({ customers: listOf({ id: someNumber, email: someText }) }),
      pages: pagesOf("customers"),
      docs: docs("customer#get-customers-search"),
    },
    {
      id: "set-stock",
      name: "Set a stock level",
      method: "POST",
      path: `${at}/inventory_levels/set.json`,
      body: z.object({
        location_id: integer("Location", "The location's number."),
        inventory_item_id: integer("Item", "The inventory item's number."),
        available: integer("Available", "How many there are."),
      }),
      answer: answer({ inventory_level: someObject }),
      docs: docs("inventorylevel#post-inventory-levels-set"),
    },
    {
      id: "query",
      name: "Send a GraphQL query",
      method: "POST",
      path: `${at}/graphql.json`,
      body: z.object({
        query: text("Query", "A GraphQL query or mutation."),
        variables: object("Variables", "The query's variables.").optional(),
      }),
      answer: answer({ data: someObject }),
      docs: "https://shopify.dev/docs/api/admin-graphql",
    },
  ],
});
