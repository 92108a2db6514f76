import { type APIRequestContext, type BrowserContext, test as base, expect, type Page } from "@playwright/test";

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} must be set to run the browser tests`);
  return value;
}

export const account = { email: () => given("EMAIL"), password: () => given("PASSWORD") };

export async function signIn(page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(account.email());
  await page.getByLabel("Password", { exact: true }).fill(account.password());
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
}

/** The API as a client uses it, to prepare a test's data. */
export class Preparation {
  readonly #request: APIRequestContext;

  constructor(request: APIRequestContext) {
    this.#request = request;
  }

  async createFlow(flow: object): Promise<string> {
    const { id } = await this.call("POST", "/flows", flow);
    return String(id);
  }

  async changeFlow(id: string, changes: object): Promise<void> {
    await this.call("PATCH", `/flows/${id}`, changes);
  }

  /** Starts a run and gives its id. */
  async run(flowId: string, data: object): Promise<string> {
    const { executionId } = await this.call("POST", `/flows/${flowId}/execute`, { data });
    return String(executionId);
  }

  /** Any call, by its path below `/api/v1`. */
  async call(method: string, path: string, data?: object) {
    const headers = { authorization: `Bearer ${given("API_KEY")}` };
    const answer = await this.#request.fetch(`/api/v1${path}`, { method, headers, ...(data && { data }) });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return answer.status() === 204 ? {} : (await answer.json()).data;
  }
}

/** `SLOW=6 npm test -- browser`: like a machine six times as slow, which exposes missing waits. */
const slowdown = Number(process.env.SLOW ?? 1);

/** `signedIn` is a blank page with a session. The tests of a worker share that session, so none of them may end it. */
export const test = base.extend<
  { signedIn: Page; preparation: Preparation },
  { session: Awaited<ReturnType<BrowserContext["cookies"]>> }
>({
  session: [
    async ({ browser }, use, { project }) => {
      const { baseURL } = project.use;
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
      await signIn(await context.newPage());
      const cookies = await context.cookies();
      await context.close();
      await use(cookies);
    },
    { scope: "worker", timeout: 240_000 },
  ],
  page: async ({ page, context }, use) => {
    if (slowdown > 1) {
      const client = await context.newCDPSession(page);
      await client.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    }
    await use(page);
  },
  signedIn: async ({ page, context, session }, use) => {
    await context.addCookies(session);
    await use(page);
  },
  preparation: async ({ playwright, baseURL }, use) => {
    const request = await playwright.request.newContext(baseURL === undefined ? {} : { baseURL });
    await use(new Preparation(request));
    await request.dispose();
  },
});

export { expect };
