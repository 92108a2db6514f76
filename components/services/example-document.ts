/** A small API that anybody may call: something to try an import with. */
export const exampleDocument = {
  openapi: "3.1.0",
  info: { title: "Exchange rates", version: "1", description: "Reference rates of the European Central Bank." },
  servers: [{ url: "https://api.frankfurter.dev/v1" }],
  paths: {
    "/latest": {
      get: {
        operationId: "latestRates",
        summary: "Get the latest rates",
        parameters: [
          { name: "base", in: "query", description: "The currency to convert from: EUR", schema: { type: "string" } },
          {
            ...{ name: "symbols", in: "query", style: "form", explode: false },
            description: "Currencies to convert to; all when empty",
            schema: { type: "array", items: { type: "string" } },
          },
        ],
        responses: { "200": { description: "The rates" } },
      },
    },
    "/currencies": {
      get: {
        operationId: "currencies",
        summary: "List the currencies",
        responses: { "200": { description: "Their names" } },
      },
    },
  },
};
