# Builds the executable from the lock file, then leaves everything behind but it.
# One base by digest, for amd64 and arm64. To move on: docker buildx imagetools inspect debian:12-slim
FROM debian:bookworm-20260824-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171 AS base
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*

FROM base AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends npm \
 && npm install --global bun@1.4.5
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
COPY patches ./patches
RUN bun install --frozen-lockfile
COPY . .
RUN bun run build

FROM base
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin cardstock \
 && install -d -o cardstock -g cardstock /data
COPY --from=build /src/dist/cardstock /usr/local/bin/cardstock
USER cardstock
WORKDIR /data
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
EXPOSE 3000
VOLUME /data
HEALTHCHECK --interval=15s --timeout=6s --start-period=10s CMD ["cardstock", "health"]
ENTRYPOINT ["cardstock"]
CMD ["serve"]
