import { z } from "zod";
import { bracketed } from "./model/bracketed.ts";
import { answer, choice, integer, list, listOf, object, someFlag, someNumber, someText, text } from "./model/fields.ts";
import { type CallValues, defineService } from "./model/service.ts";

const docs = (place: string) => `https://docs.stripe.com/api/${place}`;
const send = ({ body }: CallValues) => bracketed(body);
const metadata = object("Metadata", "Your own texts, by name.").optional();
const limit = integer("Limit", "The page size, up to 100.", 100).optional();
const customerAnswer = answer({ id: someText, object: someText, email: someText, name: someText });
const amount = integer("Amount", "In the currency's smallest unit: cents of a dollar.");
const currency = text("Currency", "Three lowercase letters, such as usd.");
/** The next page starts after the last item of this one. */
const pages = {
  cursor: "$response.body.has_more ? $response.body.data[$response.body.data.length - 1].id : null",
  parameter: "starting_after",
  items: "$response.body.data",
};
const listed = (fields: z.ZodRawShape) => answer({ object: someText, has_more: someFlag, data: listOf(fields) });

/** https://docs.stripe.com/api: bodies are forms whose names have brackets. */
export const stripe = defineService({
  id: "stripe",
  name: "Stripe",
  icon: { letters: "St", color: "#635bff" },
  description: "Customers, payments, checkout, refunds, invoices and subscriptions of a Stripe account.",
  baseUrl: "https://api.stripe.com/v1",
  credentials: [
    { type: "bearer", help: "A secret or restricted key (sk_… or rk_…), from “Developers › API keys”." },
    { type: "basic", help: "The key as the user name; any password." },
  ],
  operations: () => [
    {
      id: "create-customer",
      name: "Create a customer",
      method: "POST",
      path: "/customers",
      body: z.object({
        email: text("Email", "The customer's address.").optional(),
        name: text("Name", "The customer's name.").optional(),
        phone: text("Phone", "The customer's number.").optional(),
        description: text("Description", "For people in the dashboard.").optional(),
        metadata,
      }),
      bodyType: "form",
      send,
      answer: customerAnswer,
      docs: docs("customers/create"),
    },
    {
      id: "update-customer",
      name: "Update a customer",
      method: "POST",
      path: "/customers/{customer}",
      parameters: z.object({ customer: text("Customer", "The id, such as cus_….") }),
      body: z.object({
        email: text("Email", "The new address.").optional(),
        name: text("Name", "The new name.").optional(),
        description: text("Description", "For people in the dashboard.").optional(),
        metadata,
      }),
      bodyType: "form",
      send,
      answer: customerAnswer,
      docs: docs("customers/update"),
    },
    {
      id: "list-customers",
      name: "List customers",
      method: "GET",
      path: "/customers",
      parameters: z.object({ email: text("Email", "Only those with exactly this address.").optional(), limit }),
      answer: listed({ id: someText, email: someText, name: someText }),
      pages,
      docs: docs("customers/list"),
    },
    {
      id: "create-payment-intent",
      name: "Create a payment intent",
      method: "POST",
      path: "/payment_intents",
      body: z.object({
        amount,
        currency,
        customer: text("Customer", "The id of the customer who pays.").optional(),
        description: text("Description", "For people in the dashboard.").optional(),
        receipt_email: text("Receipt to", "The address that a receipt goes to.").optional(),
        metadata,
      }),
      bodyType: "form",
      send,
      answer: answer({ id: someText, status: someText, amount: someNumber, client_secret: someText }),
      docs: docs("payment_intents/create"),
    },
    {
      id: "create-checkout-session",
      name: "Create a checkout session",
      method: "POST",
      path: "/checkout/sessions",
      body: z.object({
        mode: choice("Mode", "What is paid.", ["payment", "subscription", "setup"]),
        line_items: list("Items", 'What is bought: [{"price": "price_…", "quantity": 1}].').optional(),
        success_url: text("Success URL", "Where the customer goes after paying."),
        cancel_url: text("Cancel URL", "Where the customer goes after cancelling.").optional(),
        customer_email: text("Email", "The customer's address.").optional(),
        metadata,
      }),
      bodyType: "form",
      send,
      answer: answer({ id: someText, url: someText, status: someText }),
      docs: docs("checkout/sessions/create"),
    },
    {
      id: "create-refund",
      name: "Create a refund",
      method: "POST",
      path: "/refunds",
      body: z.object({
        payment_intent: text("Payment intent", "The payment to refund.").optional(),
        charge: text("Charge", "The charge to refund, instead of a payment intent.").optional(),
        amount: amount.optional(),
        reason: choice("Reason", "Why.", ["duplicate", "fraudulent", "requested_by_customer"]).optional(),
        metadata,
      }),
      bodyType: "form",
      send,
      answer: answer({ id: someText, status: someText, amount: someNumber }),
      docs: docs("refunds/create"),
    },
    {
      id: "list-charges",
      name: "List charges",
      method: "GET",
      path: "/charges",
      parameters: z.object({ customer: text("Customer", "Only this customer's.").optional(), limit }),
      answer: listed({ id: someText, amount: someNumber, status: someText, currency: someText }),
      pages,
      docs: docs("charges/list"),
    },
    {
      id: "create-invoice",
      name: "Create an invoice",
      method: "POST",
      path: "/invoices",
      body: z.object({
        customer: text("Customer", "The id of the customer who is billed."),
        collection_method: choice("Collect by", "How it is paid.", ["charge_automatically", "send_invoice"]).optional(),
        days_until_due: integer("Days until due", "With send_invoice.").optional(),
        description: text("Description", "Shown to the customer.").optional(),
        metadata,
      }),
      bodyType: "form",
      send,
      answer: answer({ id: someText, status: someText, hosted_invoice_url: someText }),
      docs: docs("invoices/create"),
    },
    {
      id: "list-subscriptions",
      name: "List subscriptions",
      method: "GET",
      path: "/subscriptions",
      parameters: z.object({
        customer: text("Customer", "Only this customer's.").optional(),
        status: choice("Status", "Default: all except canceled.", [
          ...(["active", "past_due", "unpaid", "canceled", "incomplete", "trialing", "paused", "all"] as const),
        ]).optional(),
        limit,
      }),
      answer: listed({ id: someText, status: someText, customer: someText }),
      pages,
      docs: docs("subscriptions/list"),
    },
    {
      id: "cancel-subscription",
      name: "Cancel a subscription",
      method: "DELETE",
      path: "/subscriptions/{subscription}",
      parameters: z.object({ subscription: text("Subscription", "The id, such as sub_….") }),
      answer: answer({ id: someText, status: someText }),
      docs: docs("subscriptions/cancel"),
    },
  ],
});
