// Millrace under measurement: the production build, started like `npm start`, on its own database.
import { type RunningServer, startServer } from "../e2e/support/server.ts";

const secret = "benchmark-secret-benchmark-secret";

/** `project`: another checkout that is started instead of this one. */
export function startMillrace(
  databaseUrl: string,
  env: Record<string, string> = {},
  { project }: { readonly project?: string } = {},
): Promise<RunningServer> {
  return startServer({
    ...(project === undefined ? {} : { project }),
    env: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: secret,
      ENCRYPTION_KEY: secret,
      // A database filled by another start has them already.
      BOOTSTRAP_PASSWORD: secret,
      BOOTSTRAP_API_KEY: secret,
      PUBLIC_URL: undefined,
      ...env,
    },
  });
}

/** Calls the API and returns the payload; throws unless it is a success. */
export async function callApi<Payload>(server: RunningServer, method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data as Payload;
}

interface MadeFlow {
  readonly id: string;
  readonly trigger: { readonly config: { readonly url: string } };
}

/** Creates an active flow with a trigger URL. */
export async function makeFlow(server: RunningServer, nodes: readonly unknown[], edges: readonly unknown[]) {
  const trigger = { type: "webhook", config: { method: "POST" } };
  const flow = { name: "Benchmark", status: "active", trigger, nodes, edges };
  const { id, trigger: made } = await callApi<MadeFlow>(server, "POST", "/flows", flow);
  return { id, url: made.config.url };
}
