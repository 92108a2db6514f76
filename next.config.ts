import type { NextConfig } from "next";

/** The API answers at `/v1` as well as at `/api/v1`, so that a client's base URL may be either. */
const nextConfig: NextConfig = {
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  typescript: { ignoreBuildErrors: true }, // `npm run check` is where types are checked
  serverExternalPackages: ["pg", "undici", "@node-rs/argon2"],
  rewrites: async () => [{ source: "/v1/:path*", destination: "/api/v1/:path*" }],
};

export default nextConfig;
