// Names are resolved by DNS queries of our own. The system's resolver handles two names at a time, each of which a name
// server that never answers holds for ten seconds and more, while everybody's other names wait.
import { lookup, Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";

interface Options {
  /** The system's by default, read again from time to time. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

/** The second try waits twice as long. */
const query = { timeout: 2_500, tries: 2 } as const;
const keptMs = 60_000;
/** A name server did not answer: the system's resolver would wait for it again. */
const unanswered: ReadonlySet<unknown> = new Set(["ETIMEOUT", "ESERVFAIL"]);

export class NameResolver {
  readonly #options: Options;
  #queries: { readonly resolver: Resolver; readonly madeAt: number } | undefined;
  #hosts: { readonly version: string; readonly byName: ReadonlyMap<string, readonly string[]> } | undefined;

  constructor(options: Options = {}) {
    this.#options = options;
  }

  /**
   * All addresses of a name: those in `/etc/hosts`, or else those in DNS. Other names, such as short ones and those of
   * other name services, are left to the system.
   */
  async resolve(name: string): Promise<readonly string[]> {
    // Other systems have settings that DNS queries do not heed.
    if (process.platform !== "linux" || !name.includes(".")) return await systemAddresses(name);
    const known = (await this.#knownHosts()).get(name.toLowerCase());
    if (known !== undefined) return known;
    const { resolver } = this.#freshQueries();
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    for (const answer of answers)
      if (answer.status === "rejected" && unanswered.has(answer.reason.code)) throw answer.reason;
    return await systemAddresses(name);
  }

  #freshQueries() {
    if (this.#queries !== undefined && performance.now() - this.#queries.madeAt < keptMs) return this.#queries;
    const resolver = new Resolver(query);
    if (this.#options.servers !== undefined) resolver.setServers(this.#options.servers);
    this.#queries = { resolver, madeAt: performance.now() };
    return this.#queries;
  }

  async #knownHosts(): Promise<ReadonlyMap<string, readonly string[]>> {
    const path = this.#options.hostsFile ?? "/etc/hosts";
    // Otherwise, the build takes any file of the project for one that may be read, and functions have all of them.
    try {
      const { mtimeMs, size } = await stat(/* turbopackIgnore: true */ path);
      const version = `${mtimeMs} ${size}`;
      if (this.#hosts?.version !== version) {
        const text = await readFile(/* turbopackIgnore: true */ path, "utf8");
        this.#hosts = { version, byName: namesIn(text) };
      }
      return this.#hosts.byName;
    } catch {
      return new Map();
    }
  }
}

function namesIn(hosts: string): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const line of hosts.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    for (const name of names.map((written) => written.toLowerCase()))
      byName.set(name, [...(byName.get(name) ?? []), address]);
  }
  return byName;
}

async function systemAddresses(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, order: "verbatim" })).map(({ address }) => address);
}
