FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update -qq \
    && apt-get install -qq --yes --no-install-recommends libmosquitto-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --product settings2mqtt \
    && install --strip -D "$(swift build -c release --static-swift-stdlib --show-bin-path)/settings2mqtt" /out/settings2mqtt

FROM docker.io/library/debian:bookworm-slim
RUN apt-get update -qq \
    && apt-get install -qq --yes --no-install-recommends ca-certificates libmosquitto1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin settings2mqtt \
    && mkdir /etc/settings2mqtt
COPY --from=build /out/settings2mqtt /usr/bin/settings2mqtt
USER settings2mqtt
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=15s CMD ["settings2mqtt", "healthcheck"]
ENTRYPOINT ["settings2mqtt"]
CMD ["run"]
