import { describe, expect, test } from "vitest";
import { readSettings, SettingsError } from "./env.ts";
import { parseAllowList } from "./outbound/allow-list.ts";

function linesOf(source: Record<string, string>): readonly string[] {
  try {
    readSettings(source);
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
  return [];
}

describe("settings", () => {
  // Proves configuration.nothing-set
  test("nothing needs to be set", () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      publicUrl: "http://localhost:3000",
      dataDir: ".data",
      databaseUrl: undefined,
      bootstrap: undefined,
      inngest: undefined,
      outboundAllow: [],
      rateLimit: true,
      defaultTier: "free",
      firstTier: "enterprise",
      syncWaitMs: 60_000,
      maxBodyBytes: 1_048_576,
      executionConcurrency: 50,
      queueMax: 100_000,
      files: {
        inlineBytes: 262_144,
        fileBytes: 104_857_600,
        workspaceBytes: 10_737_418_240,
        bucket: undefined,
      },
      sandbox: { cpuMs: 250, memoryBytes: 33_554_432, resultBytes: 1_048_576 },
      retentionDays: undefined,
      metricsToken: undefined,
      signUp: "invite",
    });
  });

  test("an empty variable counts as unset", () => {
    expect(readSettings({ PORT: "", DATABASE_URL: "" }).port).toBe(3000);
  });

  // Proves configuration.public-url
  test("the public URL follows the port", () => {
    expect(readSettings({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
    expect(readSettings({ PUBLIC_URL: "https://flows.example.com/" }).publicUrl).toBe("https://flows.example.com");
  });

  test("on Vercel, production has the project's URL, and a preview its own, whatever PUBLIC_URL says", () => {
    const vercel = {
      VERCEL: "1",
      VERCEL_URL: "flows-1a2b.vercel.app",
      VERCEL_PROJECT_PRODUCTION_URL: "flows.example.com",
      INNGEST_EVENT_KEY: "0123456789abcdef",
      INNGEST_SIGNING_KEY: "0123456789abcdef",
    };
    const urlOf = (overrides: Record<string, string>) => readSettings({ ...vercel, ...overrides }).publicUrl;
    expect(urlOf({ VERCEL_ENV: "production" })).toBe("https://flows.example.com");
    expect(urlOf({ VERCEL_ENV: "production", PUBLIC_URL: "https://other.example.com" })).toBe(
      "https://other.example.com",
    );
    expect(urlOf({ VERCEL_ENV: "preview", PUBLIC_URL: "https://flows.example.com" })).toBe(
      "https://flows-1a2b.vercel.app",
    );
    expect(urlOf({ VERCEL_ENV: "preview", VERCEL_BRANCH_URL: "flows-git-next.vercel.app" })).toBe(
      "https://flows-git-next.vercel.app",
    );
  });

  describe("TRIGGER_ORIGIN", () => {
    const production = { PUBLIC_URL: "https://flows.example.com" };
    const read = (TRIGGER_ORIGIN: string, overrides: Record<string, string> = production) =>
      readSettings({ ...overrides, TRIGGER_ORIGIN });
    test("is the origin of trigger and resume URLs; unset, PUBLIC_URL is", () => {
      expect(read("https://hooks.example.com/")).toMatchObject({
        triggerOrigin: "https://hooks.example.com",
        triggersUrl: "https://hooks.example.com/api/v1",
      });
      expect(readSettings(production)).toMatchObject({
        triggerOrigin: undefined,
        triggersUrl: "https://flows.example.com/api/v1",
      });
    });

    test.each([
      "hooks.example.com",
      "https://hooks.example.com/x",
      "https://a@hooks.example.com",
      "ftp://hooks",
      "https://hooks.example.com?",
    ])("%s is not an origin", (TRIGGER_ORIGIN) => {
      const error = "TRIGGER_ORIGIN must be the origin of a web address such as https://hooks.example.com";
      expect(linesOf({ TRIGGER_ORIGIN })).toEqual([`${error}, but is ${JSON.stringify(TRIGGER_ORIGIN)}`]);
    });

    test.each([
      ["https://flows.example.com", production],
      ["https://FLOWS.example.com:8443", production],
      ["http://localhost:3001", {}],
    ])("%s is the host of PUBLIC_URL, whose cookies browsers would send there", (TRIGGER_ORIGIN, overrides) => {
      expect(linesOf({ ...overrides, TRIGGER_ORIGIN })).toEqual([
        expect.stringMatching(/^TRIGGER_ORIGIN must be on another host than PUBLIC_URL, http\S+, but is "/),
      ]);
    });

    test("is production's: a preview on Vercel serves everything at its own URL", () => {
      const preview = {
        VERCEL: "1",
        VERCEL_ENV: "preview",
        VERCEL_URL: "flows-1a2b.vercel.app",
        INNGEST_EVENT_KEY: "0123456789abcdef",
        INNGEST_SIGNING_KEY: "0123456789abcdef",
      };
      expect(read("https://hooks.example.com", preview)).toMatchObject({
        triggerOrigin: undefined,
        triggersUrl: "https://flows-1a2b.vercel.app/api/v1",
      });
    });
  });

  test("on Vercel, which has no long-lived process, Inngest is required", () => {
    expect(linesOf({ VERCEL: "1" })).toEqual([
      "INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY must be set on Vercel: nothing else would do the runs there",
    ]);
  });

  test.each([
    ["postgresql://millrace@/flows?host=/run/postgresql", "postgresql://millrace@localhost/flows?host=/run/postgresql"],
    ["postgres://a:b@/c?sslmode=disable&host=/tmp", "postgres://a:b@localhost/c?sslmode=disable&host=/tmp"],
    ["postgresql:///flows?host=/run/postgresql", "postgresql:///flows?host=/run/postgresql"],
    ["postgresql://a@db.internal/c?host=/tmp", "postgresql://a@db.internal/c?host=/tmp"],
  ])("a database may be reached through a socket: %s", (given, url) => {
    const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
    expect(readSettings({ ...secrets, DATABASE_URL: given }).databaseUrl).toBe(url);
  });

  test("a database URL without a host needs an explicit socket", () => {
    expect(linesOf({ DATABASE_URL: "postgresql://a@/c?hosts=/tmp" })[0]).toMatch(/^DATABASE_URL must be an address/);
  });

  test("the database's certificate is verified, without the driver's warning", () => {
    const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
    const urlOf = (query: string) =>
      readSettings({ ...secrets, DATABASE_URL: `postgresql://a:b@host/c?${query}` }).databaseUrl?.split("?")[1];
    expect(urlOf("sslmode=require&pgbouncer=true")).toBe("sslmode=verify-full&pgbouncer=true");
    expect(urlOf("pgbouncer=true&sslmode=prefer")).toBe("pgbouncer=true&sslmode=verify-full");
    expect(urlOf("sslmode=disable")).toBe("sslmode=disable");
    expect(urlOf("sslmode=require&uselibpqcompat=true")).toBe("sslmode=require&uselibpqcompat=true");
  });

  // Proves limits.first-tier
  test("DEFAULT_TIER applies to the first workspace too", () => {
    expect(readSettings({ DEFAULT_TIER: "pro" })).toMatchObject({ defaultTier: "pro", firstTier: "pro" });
  });

  test.each([
    [{ PORT: "abc" }, 'PORT must be a whole number from 1 to 65535, but is "abc"'],
    [{ PORT: "0" }, 'PORT must be a whole number from 1 to 65535, but is "0"'],
    [{ PORT: "80.5" }, 'PORT must be a whole number from 1 to 65535, but is "80.5"'],
    [{ RATE_LIMIT: "maybe" }, 'RATE_LIMIT must be "on" or "off", but is "maybe"'],
    [{ DEFAULT_TIER: "gold" }, 'DEFAULT_TIER must be "free", "pro" or "enterprise", but is "gold"'],
    [{ MAX_BODY_BYTES: "1e6" }, 'MAX_BODY_BYTES must be a whole number from 1024 to 1073741824, but is "1e6"'],
    [{ AUTH_SECRET: "hunter2" }, "AUTH_SECRET must have 16 characters or more, but has 7 characters"],
    [{ BOOTSTRAP_EMAIL: "someone" }, 'BOOTSTRAP_EMAIL must be an email address, but is "someone"'],
  ])("%o is reported in one line", (source, line) => {
    expect(linesOf(source as Record<string, string>)[0]).toBe(line);
  });

  test("all bad settings are reported at once", () => {
    expect(linesOf({ PORT: "x", SIGN_UP: "y", DATABASE_URL: "mysql://z" }).map((line) => line.split(" ")[0])).toEqual([
      "PORT",
      "DATABASE_URL",
      "SIGN_UP",
      "AUTH_SECRET",
      "ENCRYPTION_KEY",
    ]);
  });

  test("a function has few connections by default", () => {
    const inngest = { INNGEST_EVENT_KEY: "0123456789abcdef", INNGEST_SIGNING_KEY: "0123456789abcdef" };
    expect(readSettings({})).toMatchObject({ isFunction: false, databaseConnections: 20 });
    expect(readSettings({ VERCEL: "1", ...inngest })).toMatchObject({ isFunction: true, databaseConnections: 5 });
    const given = { VERCEL: "1", DATABASE_CONNECTIONS: "2", ...inngest };
    expect(readSettings(given)).toMatchObject({ databaseConnections: 2 });
  });

  test("a secret is never printed", () => {
    const secret = "p@ss word";
    const lines = linesOf({
      DATABASE_URL: secret,
      AUTH_SECRET: secret,
      ENCRYPTION_KEY: secret,
      BOOTSTRAP_EMAIL: "a@example.com",
      BOOTSTRAP_PASSWORD: "p@ss",
      BOOTSTRAP_API_KEY: `${secret} that is long enough to be a key`,
    });
    expect(lines).toHaveLength(5);
    expect(lines.join()).not.toContain("p@ss");
  });

  // Proves configuration.first-owner
  test("a bootstrap key requires its owner", () => {
    expect(linesOf({ BOOTSTRAP_API_KEY: "k".repeat(32) })).toEqual([
      "BOOTSTRAP_EMAIL must be set when BOOTSTRAP_API_KEY is set",
      "BOOTSTRAP_PASSWORD must be set when BOOTSTRAP_API_KEY is set",
    ]);
  });

  test.each(["http://a.example/path", "ftp://a.example", "a.example", "https://a.example/?x"])(
    "PUBLIC_URL %s is not an origin",
    (PUBLIC_URL) => {
      expect(linesOf({ PUBLIC_URL })).toHaveLength(1);
    },
  );
});

describe("OUTBOUND_ALLOW", () => {
  // Proves configuration.outbound-allow
  test("accepts names, addresses and blocks", () => {
    const OUTBOUND_ALLOW = "localhost, DB.internal,127.0.0.1,::1,10.0.0.0/8,fd00::/8,";
    expect(readSettings({ OUTBOUND_ALLOW }).outboundAllow).toEqual([
      "localhost",
      "db.internal",
      "127.0.0.1",
      "::1",
      "10.0.0.0/8",
      "fd00::/8",
    ]);
  });

  test("accepts a port, and wildcards for subdomains", () => {
    const OUTBOUND_ALLOW = "db.internal:5432,127.0.0.1:4000,[::1]:4000,*.corp.internal,*.corp.internal:8080";
    const { outboundAllow } = readSettings({ OUTBOUND_ALLOW });
    expect(outboundAllow).toHaveLength(5);
    expect(() => parseAllowList(outboundAllow.join(","))).not.toThrow();
  });

  test.each([
    "a:0",
    "a:70000",
    "a:b",
    "[::1",
    "*.",
    "a.*",
    "[a]:1",
    "10.0.0.0/8:80",
    "10.0.0.0/33",
    "127.1",
    "2130706433",
    "0x7f.1",
    "http://a",
    "a b",
    "-a",
    "10.0.0/8",
    "*",
  ])("refuses %s", (OUTBOUND_ALLOW) => {
    expect(linesOf({ OUTBOUND_ALLOW })).toHaveLength(1);
  });
});
