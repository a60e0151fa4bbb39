FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update -qq \
    && apt-get install -qq --yes --no-install-recommends libmosquitto-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
# Not compiled, but SwiftPM wants the folder of every target to be there.
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --product settings2mqtt \
    && install --strip -D "$(swift build -c release --static-swift-stdlib --show-bin-path)/settings2mqtt" /out/settings2mqtt

FROM docker.io/library/debian:bookworm-slim
RUN apt-get update -qq \
    && apt-get install -qq --yes --no-install-recommends ca-certificates libmosquitto1 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin settings2mqtt \
    && mkdir /etc/settings2mqtt
COPY --from=build /out/settings2mqtt /usr/bin/settings2mqtt
USER settings2mqtt
STOPSIGNAL SIGTERM
# Asks the bridge over its broker; 1 is the one code that Docker knows for unhealthy.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD settings2mqtt healthcheck || exit 1
ENTRYPOINT ["settings2mqtt"]
CMD ["run"]
