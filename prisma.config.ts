import { defineConfig } from "prisma/config";

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // Only `prisma migrate` reads it; `prisma generate` needs no database.
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://unset" },
});
