// Names are resolved by DNS queries of our own. The system's resolver handles two names at a time, each of which a name
// server that never answers holds for ten seconds and more, while everybody's other names wait.
import { lookup, Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";

interface Options {
  /** The system's by default. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly settingsFile?: string;
}

/** Names with fewer dots than `dotsMin` are looked for in these domains first, as Kubernetes has `service.namespace`. */
interface Search {
  readonly domains: readonly string[];
  readonly dotsMin: number;
}

interface Dns extends Search {
  readonly resolver: Resolver;
  readonly madeAt: number;
}

/** The second try waits twice as long. */
const query = { timeout: 2_500, tries: 2 } as const;
const keptMs = 60_000;

export class NameResolver {
  readonly #options: Options;
  #dns: Dns | undefined;
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
    const dns = await this.#currentDns();
    let failure: unknown;
    for (const full of fullNames(name, dns)) {
      const answers = await Promise.allSettled([dns.resolver.resolve4(full), dns.resolver.resolve6(full)]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (addresses.length > 0) return addresses;
      for (const answer of answers) {
        if (answer.status === "fulfilled") continue;
        if (answer.reason.code === "ETIMEOUT") throw answer.reason;
        if (answer.reason.code === "ESERVFAIL") failure ??= answer.reason;
      }
    }
    // The system's resolver would wait for the name server again.
    if (failure !== undefined) throw failure;
    return await systemAddresses(name);
  }

  /** Made again from time to time, because the system's settings may change. */
  async #currentDns(): Promise<Dns> {
    if (this.#dns !== undefined && performance.now() - this.#dns.madeAt < keptMs) return this.#dns;
    const resolver = new Resolver(query);
    if (this.#options.servers !== undefined) resolver.setServers(this.#options.servers);
    const path = this.#options.settingsFile ?? "/etc/resolv.conf";
    const search = searchIn(await readFile(/* turbopackIgnore: true */ path, "utf8").catch(() => ""));
    this.#dns = { ...search, resolver, madeAt: performance.now() };
    return this.#dns;
  }

  /** Its path is ignored by the build, which otherwise assumes that any file may be read, and puts all into every function. */
  async #knownHosts(): Promise<ReadonlyMap<string, readonly string[]>> {
    const path = this.#options.hostsFile ?? "/etc/hosts";
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

/** What a `resolv.conf` says. Of several lines of a kind, the last counts. */
function searchIn(settings: string): Search {
  const [domains = ""] = settings.match(/^(search|domain)[ \t].*$/gm)?.slice(-1) ?? [];
  const dotsMin = [...settings.matchAll(/^options[ \t].*\bndots:(\d+)/gm)].at(-1)?.[1];
  return { domains: domains.trim().split(/\s+/).slice(1), dotsMin: Number(dotsMin ?? 1) };
}

/** The names to ask for, in order. A name that ends in a dot is complete. */
function fullNames(name: string, { domains, dotsMin }: Search): string[] {
  const dots = name.split(".").length - 1;
  return dots >= dotsMin || name.endsWith(".") ? [name] : [...domains.map((domain) => `${name}.${domain}`), name];
}

async function systemAddresses(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, order: "verbatim" })).map(({ address }) => address);
}
