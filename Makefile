# The verbs of the project. Each installs the Debian packages that it lacks, and says so.

PREFIX ?= /usr/local
SWIFT ?= swift
TOP := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
RELEASE := $(TOP).build/release/apod-mirror

BUILD_PACKAGES := libgif-dev libinotifytools0-dev libmicrohttpd-dev libspng-dev libturbojpeg0-dev libxml2-dev \
	nettle-dev pkg-config
# One after the other: those that measure time do not compete with those that compute.
SUITES := APODTests TransferTests SimulatorTests PlatformTests MirrorTests FavoritesTests \
	ServiceTests CommandLineTests

BENCH_PACKAGES := aria2 curl inotify-tools

# The menus of file managers: source and destination. /usr/local in a source becomes PREFIX.
FILE_MANAGER_FILES := \
	.install/file-managers/apod-mirror.dolphin.desktop:$(PREFIX)/share/kio/servicemenus/apod-mirror.desktop \
	.install/file-managers/apod-mirror.nemo_action:$(PREFIX)/share/nemo/actions/apod-mirror.nemo_action \
	.install/file-managers/apod-mirror.thunar.desktop:$(PREFIX)/share/Thunar/sendto/apod-mirror.desktop

# Root's rights are asked for only where PREFIX is not ours; the build never has them.
AS_OWNER = $(shell [ "$$(id -u)" = 0 ] || [ -n "$(DESTDIR)" ] || [ -w "$(PREFIX)" ] || echo sudo)

# A unit that names the program where it is installed.
define install-unit
	sed 's|/usr/local/bin|$(PREFIX)/bin|' $(1) > $(TOP).build/$(notdir $(1))
	$(AS_OWNER) install -D --mode=644 $(TOP).build/$(notdir $(1)) \
		$(DESTDIR)$(PREFIX)/lib/systemd/$(2)/apod-mirror.service
endef

source = $(word 1,$(subst :, ,$(1)))
target = $(DESTDIR)$(word 2,$(subst :, ,$(1)))

define install-file
	sed 's|/usr/local|$(PREFIX)|g' $(call source,$(1)) | $(AS_OWNER) install -D --mode=644 /dev/stdin $(call target,$(1))

endef

.PHONY: all demo test bench lint format install uninstall clean packages bench-packages

all: packages
	$(SWIFT) build

demo: packages
	$(SWIFT) build -c release --product apod-mirror
	$(RELEASE) demo $(DIR)

test: lint packages
	$(SWIFT) build --build-tests
	@set -e; for suite in $(SUITES); do \
		echo "== $$suite"; $(SWIFT) test --skip-build --filter "^$$suite\\."; done

bench: packages bench-packages
	$(SWIFT) build -c release --static-swift-stdlib
	$(TOP).build/release/benchmarks

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

install: packages
	$(SWIFT) build -c release --product apod-mirror --static-swift-stdlib
	$(AS_OWNER) install -D --strip --mode=755 $(RELEASE) $(DESTDIR)$(PREFIX)/bin/apod-mirror
	$(AS_OWNER) install -D --mode=644 systemd/apod-mirror.sysusers.conf \
		$(DESTDIR)$(PREFIX)/lib/sysusers.d/apod-mirror.conf
	$(call install-unit,systemd/apod-mirror.service,system)
	$(call install-unit,systemd/apod-mirror.user.service,user)
	$(foreach file,$(FILE_MANAGER_FILES),$(call install-file,$(file)))

uninstall:
	$(AS_OWNER) rm -f $(DESTDIR)$(PREFIX)/bin/apod-mirror \
		$(DESTDIR)$(PREFIX)/lib/sysusers.d/apod-mirror.conf \
		$(DESTDIR)$(PREFIX)/lib/systemd/system/apod-mirror.service \
		$(DESTDIR)$(PREFIX)/lib/systemd/user/apod-mirror.service \
		$(foreach file,$(FILE_MANAGER_FILES),$(call target,$(file)))

clean:
	rm -rf $(TOP).build

packages:
	@$(TOP).ci/packages $(BUILD_PACKAGES) libcurl

bench-packages:
	@$(TOP).ci/packages $(BENCH_PACKAGES)
