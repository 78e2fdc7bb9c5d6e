# Builds every image: docker build --build-arg SERVICE=edge --tag tallyport/edge .
# SERVICE is edge, chat-svc, image-svc, batch-svc, catalog-svc, mcp-svc, auth-svc, ledger-svc, console-svc, all-in-one or sandbox.
# For production builds, pin BUILD_IMAGE and RUN_IMAGE by digest (docs/operate.md).
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
# The same Node and pnpm as in development, pinned with checksums.
COPY tools/toolchain tools/toolchain
RUN for tool in node pnpm; do \
      npm ci --prefix tools/toolchain/$tool --ignore-scripts --include=optional --no-audit --no-fund --loglevel=error || exit 1; \
    done \
 && mkdir /toolchain \
 && find tools/toolchain -type f -perm /111 \( -path '*/bin/node' -o -path '*/exe.linux-*/pnpm' \) \
      -exec ln -s /build/{} /toolchain/ \; \
 && /toolchain/node --version && /toolchain/pnpm --version
ENV PATH=/toolchain:$PATH CI=true
# A separate layer, because dependencies change less often than sources and are the same for all services.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch --prod --ignore-scripts && rm -rf node_modules
COPY . .
ARG SERVICE
RUN test -n "$SERVICE" || { echo 'Set the service: --build-arg SERVICE=edge' >&2; exit 1; } \
 && pnpm install --offline --frozen-lockfile --prod --ignore-scripts --filter "@tallyport/$SERVICE..." \
 && node --disable-warning=ExperimentalWarning deploy/image/collect.mjs "$SERVICE" /app \
 && mkdir -p /image/data /image/secrets && cp -L /toolchain/node /image/node

FROM ${RUN_IMAGE}
ARG RUN_IMAGE
ARG SERVICE
ARG VERSION=0.1.0
# Of a build that does not know them.
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
# The address of the repository.
ARG SOURCE
LABEL org.opencontainers.image.title="tallyport-${SERVICE}" \
      org.opencontainers.image.description="Tallyport, a gateway in front of every model provider: ${SERVICE}" \
      org.opencontainers.image.vendor="The Tallyport authors" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.url="${SOURCE}" \
      org.opencontainers.image.documentation="${SOURCE:+${SOURCE}#readme}" \
      org.opencontainers.image.base.name="${RUN_IMAGE}"
COPY --from=build /image/node /usr/local/bin/node
COPY --from=build /app /app
# Volumes get their owner from these folders. The service writes to no other folder of the image.
COPY --from=build --chown=65532:65532 /image/data /data
COPY --from=build --chown=65532:65532 /image/secrets /secrets
WORKDIR /app
USER 65532:65532
ENV NODE_ENV=production \
    NODE_OPTIONS='--max-semi-space-size=32 --expose-gc' \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 ADMIN_HOST=0.0.0.0 CONSOLE_HOST=0.0.0.0 \
    DATA_DIR=/data
HEALTHCHECK --interval=5s --timeout=4s --start-period=300s --retries=3 \
  CMD ["/usr/local/bin/node", "/app/deploy/image/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "--no-memory-reducer", "/app/start.mjs"]
