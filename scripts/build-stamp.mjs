// Whether the build in `.next` matches the current sources.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "./places.mjs";

const stampFile = join(projectDirectory, ".next/sources-hash");
const buildIdFile = join(projectDirectory, ".next/BUILD_ID");

const sources = ["app", "components", "lib", "public", "prisma/schema.prisma", "package.json", "package-lock.json"];
const sourcesAtRoot = /^(next\.config|tsconfig|postcss\.config|instrumentation|instrumentation-client|proxy)\.[a-z]+$/;

/** Not part of a build: tests, type declarations, and the Prisma client, which is generated from the schema. */
const isLeftOut = /(\.test\.tsx?|\.d\.[cm]?ts|\.md)$|(^|\/)lib\/platform\/prisma$/;

export function sourcesHash() {
  const hash = createHash("sha256");
  const atRoot = readdirSync(projectDirectory).filter((name) => sourcesAtRoot.test(name));
  for (const source of [...sources, ...atRoot.sort()]) addTo(hash, source);
  return hash.digest("hex");
}

export function isBuilt() {
  return existsSync(buildIdFile) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === sourcesHash();
}

/** Whether there is a build, of any sources. */
export function wasBuilt() {
  return existsSync(buildIdFile);
}

/** @param {string} hash of the sources when the build started */
export function stampBuild(hash) {
  writeFileSync(stampFile, hash);
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} path relative to the project
 */
function addTo(hash, path) {
  const absolute = join(projectDirectory, path);
  if (isLeftOut.test(path) || !existsSync(absolute)) return;
  if (statSync(absolute).isDirectory()) {
    for (const name of readdirSync(absolute).sort()) addTo(hash, `${path}/${name}`);
    return;
  }
  const content = readFileSync(absolute);
  hash.update(`${path}\0${content.length}\0`).update(content);
}
