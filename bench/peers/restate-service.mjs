// Three steps with an outside effect, each recorded before the next: `node restate-service.mjs <sdk> <port> <target>`.
const [sdk, port, target] = process.argv.slice(2);
const restate = await import(sdk);
const call = async (body) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(target, { method: "POST", headers, body: JSON.stringify(body) });
  return await response.json();
};
const steps = restate.service({
  name: "steps",
  handlers: {
    run: async (ctx, body) => {
      const first = await ctx.run("first", () => call({ step: 1, ...body }));
      const second = await ctx.run("second", () => call({ step: 2, ...first }));
      return await ctx.run("third", () => call({ step: 3, ...second }));
    },
  },
});
await restate.serve({ services: [steps], port: Number(port) });
