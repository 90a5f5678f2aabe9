# The mirror in a container. A clone is all it takes, without Swift on the machine; for docker and for podman:
#   docker build --tag apod-mirror .
#   podman build --tag apod-mirror --format docker .
# How to run it is in docs/docker.md. “make deb-in-container” takes only the Debian packages out of it.

ARG SWIFT=docker.io/library/swift:6.2-bookworm
ARG BASE=docker.io/library/debian:bookworm-slim

FROM $SWIFT AS build
RUN apt-get update && apt-get install --yes --no-install-recommends make
COPY . /source
RUN make --directory /source deb

# “--build-context packages=DIR” takes packages that are there already instead.
FROM scratch AS packages
COPY --from=build /source/.build/deb/*.deb /

FROM $BASE
# The package wants a program that makes system users; the smallest one avoids systemd. curl is for commands of --on-new.
# What apt writes about itself is removed, so that the same packages make the same image.
RUN --mount=type=bind,from=packages,target=/packages \
    apt-get update && \
    apt-get install --yes --no-install-recommends curl systemd-standalone-sysusers \
        /packages/apod-mirror_*_$(dpkg --print-architecture).deb && \
    rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/ldconfig /var/cache/debconf/*-old /var/lib/dpkg/*-old \
        /var/log/* && \
    install --directory --mode=1777 /mirror /state

# /state has the list of known mirrors, which must not be on the mirror's own disk.
ENV APOD_MIRROR_ROOT=/mirror XDG_STATE_HOME=/state
VOLUME /mirror /state
# On most machines the first user. Any other number will do that may write to the volume of the mirror.
USER 1000:1000

STOPSIGNAL SIGTERM
# 3: days are missing, which the daemon retries. Other codes need a person, such as 6 for a full disk.
HEALTHCHECK --interval=30m --timeout=30s --start-period=30m \
    CMD apod-mirror status > /dev/null; case $? in 0 | 3) ;; *) exit 1 ;; esac

# favorites/ alone is made with the umask: by default its group may write too; UMASK=000 is for everybody.
ENTRYPOINT ["/bin/sh", "-c", "umask \"${UMASK:-002}\" && exec apod-mirror \"$@\"", "apod-mirror"]
CMD ["run"]
