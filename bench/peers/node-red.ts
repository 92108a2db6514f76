// Node-RED with the same flow: http in → switch → change → http response. It keeps runs in memory and stores none.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChildServer, freePort, startChildServer } from "./child-server.ts";
import { installPeers, peerFile } from "./install-peers.ts";

const flow = [
  { id: "tab", type: "tab", label: "Benchmark" },
  { id: "in", z: "tab", type: "http in", url: "/order", method: "post", wires: [["check"]] },
  {
    id: "check",
    z: "tab",
    type: "switch",
    property: "payload.total",
    propertyType: "msg",
    rules: [{ t: "gt", v: "100", vt: "num" }, { t: "else" }],
    outputs: 2,
    wires: [["shape"], ["refuse"]],
  },
  {
    id: "shape",
    z: "tab",
    type: "change",
    rules: [
      { t: "set", p: "payload", pt: "msg", to: '{"id": payload.id, "total": payload.total * 2}', tot: "jsonata" },
    ],
    wires: [["out"]],
  },
  {
    id: "refuse",
    z: "tab",
    type: "change",
    rules: [{ t: "set", p: "payload", pt: "msg", to: '{"refused": true}', tot: "json" }],
    wires: [["out"]],
  },
  { id: "out", z: "tab", type: "http response", wires: [] },
];

/** Starts Node-RED in an empty folder; `url` starts the flow. */
export async function startNodeRed(directory: string): Promise<ChildServer & { url: string }> {
  const peers = installPeers();
  const port = await freePort();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "flows.json"), JSON.stringify(flow));
  const settings = {
    uiPort: port,
    uiHost: "127.0.0.1",
    flowFile: "flows.json",
    logging: { console: { level: "warn" } },
  };
  const settingsFile = join(directory, "settings.cjs");
  writeFileSync(settingsFile, `module.exports = ${JSON.stringify(settings)};`);
  const server = await startChildServer({
    command: process.execPath,
    args: [peerFile(peers, "node-red/red.js"), "--userDir", directory, "--settings", settingsFile],
    cwd: directory,
    readyUrl: `http://127.0.0.1:${port}/order`,
  });
  return { ...server, url: `http://127.0.0.1:${port}/order` };
}
