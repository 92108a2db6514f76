# Millrace in two stages: what builds it stays behind. Needs DATABASE_URL, AUTH_SECRET and ENCRYPTION_KEY to run.
FROM node:24-bookworm-slim AS build
WORKDIR /build
ENV NEXT_TELEMETRY_DISABLED=1 CI=1
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund --loglevel=error
COPY . .
RUN npm run build && node scripts/runtime-files.mjs /app

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 PORT=3000
WORKDIR /app
COPY --from=build --chown=root:root /app .
# Runs as an account without rights; what Next keeps while it runs is all that it may write.
RUN mkdir -p .next/cache && chown -R node:node .next/cache
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is the container's first process: SIGTERM reaches it, and runs are finished or handed back.
CMD ["node", "dist/programs/scripts/server/serve.mjs"]
