// Names are resolved by DNS queries of our own. The system's resolver handles two names at a time, each of which a name
// server that never answers holds for ten seconds and more, while everybody's other names wait.
import { lookup, Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";

interface Options {
  /** The system's by default. */
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
  #current: { readonly resolver: Resolver; readonly madeAt: number } | undefined;
  #hosts: { readonly version: string; readonly byName: ReadonlyMap<string, readonly string[]> } | undefined;

  constructor(options: Options = {}) {
    this.#options = options;
  }

  /**
   * All addresses of a name: those in `/etc/hosts`, or else those in DNS. Other names, such as short ones and those of
   * other name services, are left to the system.
   */
  async resolve(name: string): Promise<readonly string[]> {
    // Elsewhere, the system has settings for names that plain DNS queries ignore.
    if (process.platform !== "linux" || !name.includes(".")) return await systemAddresses(name);
    const known = (await this.#knownHosts()).get(name.toLowerCase());
    if (known !== undefined) return known;
    const resolver = this.#resolver();
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    for (const answer of answers)
      if (answer.status === "rejected" && unanswered.has(answer.reason.code)) throw answer.reason;
    return await systemAddresses(name);
  }

  /** Replaced from time to time, because it reads the system's settings only when it is made. */
  #resolver(): Resolver {
    if (this.#current !== undefined && performance.now() - this.#current.madeAt < keptMs) return this.#current.resolver;
    const resolver = new Resolver(query);
    if (this.#options.servers !== undefined) resolver.setServers(this.#options.servers);
    this.#current = { resolver, madeAt: performance.now() };
    return resolver;
  }

  async #knownHosts(): Promise<ReadonlyMap<string, readonly string[]>> {
    const path = this.#options.hostsFile ?? "/etc/hosts";
    // Unless told to ignore the path, the build assumes that any file may be read, and puts all into every function.
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
