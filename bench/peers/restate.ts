// Restate with a service of three steps; its server and its SDK come from npm.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectDirectory } from "../../scripts/places.mjs";
import { type ChildServer, freePort, startChildServer } from "./child-server.ts";
import { installPeers, peerFile } from "./install-peers.ts";

/** Starts Restate in an empty folder with a service whose steps call `target`; `url` runs it. */
export async function startRestate(directory: string, target: string): Promise<ChildServer & { url: string }> {
  const peers = installPeers();
  mkdirSync(directory, { recursive: true });
  const [ingress, admin, node, service] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const server = await startChildServer({
    command: join(peers, "node_modules/.bin/restate-server"),
    args: [],
    cwd: directory,
    env: {
      RESTATE_BASE_DIR: directory,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_LOG_FILTER: "error",
    },
    readyUrl: `http://127.0.0.1:${admin}/health`,
  });
  const sdk = pathToFileURL(peerFile(peers, "@restatedev/restate-sdk")).href;
  const steps = await startChildServer({
    command: process.execPath,
    args: [join(projectDirectory, "bench/peers/restate-service.mjs"), sdk, `${service}`, target],
    cwd: directory,
    env: { RESTATE_LOGGING: "ERROR" },
    readyUrl: `http://127.0.0.1:${admin}/health`,
  });
  await register(admin, service);
  const stop = async () => {
    await steps.stop();
    await server.stop();
  };
  return { url: `http://127.0.0.1:${ingress}/steps/run`, stop };
}

async function register(admin: number, service: number): Promise<void> {
  const body = JSON.stringify({ uri: `http://127.0.0.1:${service}` });
  for (let tries = 0; tries < 100; tries += 1) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://127.0.0.1:${admin}/deployments`, { method: "POST", headers, body });
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Restate did not take the service");
}
