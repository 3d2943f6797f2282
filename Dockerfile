# Builds the executable from the lock file, then leaves everything behind but it.
FROM oven/bun:1.4.5-debian AS build
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
COPY patches ./patches
RUN bun install --frozen-lockfile
COPY . .
RUN bun run build

FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin cardstock \
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
