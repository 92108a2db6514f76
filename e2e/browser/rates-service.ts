import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An exchange rate service, called by the example flow. */
export async function ratesService(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ base: "EUR", rates: { USD: 1.165 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`, close: () => server.close() };
}

/** The example flow's nodes, as somebody types them. */
export const orderIntake = {
  condition: "$trigger.body.items.length > 0",
  total:
    "const eur = $trigger.body.items.reduce((sum, item) => sum + item.price * item.quantity, 0); " +
    "return { eur, total: eur * $nodes['http-request'].output.body.rates[$trigger.body.currency] };",
  note: "Order {{ $trigger.body.id }}: {{ $node.output.total }}",
  refusal: '{ "status": 422, "body": { "error": "An order has items" } }',
  order: { id: "o-1", currency: "USD", items: [{ price: 10, quantity: 2 }] },
} as const;
