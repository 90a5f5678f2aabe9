# The verbs of the project. Each installs the Debian packages that it lacks, and says so.

PREFIX ?= /usr/local
SWIFT ?= swift
TOP := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
RELEASE := $(TOP).build/release
VERSION := $(shell sed -n 's/.*static let current = "\(.*\)"/\1/p' $(TOP)Sources/Platform/Process/Version.swift)

BUILD_PACKAGES := libgif-dev libinotifytools0-dev libmicrohttpd-dev libspng-dev libturbojpeg0-dev libxml2-dev \
	libwebp-dev nettle-dev pkg-config
BENCH_PACKAGES := aria2 curl inotify-tools libvips-tools ripgrep
DEB_PACKAGES := debhelper dpkg-dev lintian
MACHINE_PACKAGES := acl dbus libpam-systemd systemd-container

# One after the other: those that measure time do not compete with those that compute.
SUITES := JSONTests APODTests TransferTests SimulatorTests PlatformTests MirrorTests FavoritesTests \
	GalleryTests ThumbnailRendererTests ThumbnailsTests ServiceTests CommandLineTests

.PHONY: all demo test test-service sanitize mutants fuzz bench lint format release release-simulator install install-simulator uninstall deb clean packages

all: packages
	$(SWIFT) build

demo: packages
	$(call build-programs,$(PROGRAMS) $(HELPERS) $(SIMULATOR))
	$(RELEASE)/$(SIMULATOR) demo $(DIR)

test: lint packages
	$(SWIFT) build --build-tests
	@set -e; for suite in $(SUITES); do \
		echo "== $$suite"; $(TOP).ci/tests $(SWIFT) test --skip-build --filter "^$$suite\\."; done
	@$(MAKE) --no-print-directory test-service

# The whole suite once more, where races and wrong accesses are seen: slowly, so one test after the other.
# The limits of the thumbnailer leave no room for it: there its decoders are tested, and not what confines them.
sanitize: packages
	$(SWIFT) build --product apod-mirror-thumbnailer
	@set -e; for kind in thread address; do \
		export APOD_MIRROR_OPERATIONS=3000 LSAN_OPTIONS=suppressions=$(TOP)Tests/Sanitizers/leaks.txt; \
		build="--sanitize=$$kind --scratch-path $(TOP).build/$$kind"; \
		$(SWIFT) build --build-tests $$build; \
		install $(TOP).build/debug/apod-mirror-thumbnailer $(TOP).build/$$kind/debug; \
		for suite in $(SUITES); do echo "== $$suite, $$kind"; \
			$(TOP).ci/tests $(SWIFT) test --skip-build $$build --no-parallel --filter "^$$suite\\." \
				--skip ConfinementTests; done; done

# Each rule of the watcher and of the removal guard is taken away in turn: some test turns red.
mutants: packages
	@SWIFT="$(SWIFT)" $(TOP)Tests/Mutants/run

bench: packages
	@$(TOP).ci/packages $(BENCH_PACKAGES)
	$(SWIFT) build -c release --static-swift-stdlib
	$(RELEASE)/benchmarks

fuzz: packages
	@SWIFT=$(SWIFT) $(TOP).ci/fuzz $(SECONDS)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

clean:
	rm -rf $(TOP).build

packages:
	@$(TOP).ci/packages $(BUILD_PACKAGES) libcurl

# --- What is installed, below PREFIX: also what the Debian package holds

PROGRAMS := apod-mirror
# Started by the programs, not by people.
HELPERS := apod-mirror-thumbnailer
# To try them out: not installed with them, a Debian package of its own.
SIMULATOR := apod-mirror-simulator
SYSTEM_UNITS ?= $(PREFIX)/lib/systemd/system
DOCUMENTS := $(PREFIX)/share/doc/apod-mirror
# The menus of file managers.
FILE_MANAGER_FILES := \
	.install/file-managers/apod-mirror.dolphin.desktop:$(PREFIX)/share/kio/servicemenus/apod-mirror.desktop \
	.install/file-managers/apod-mirror.nemo_action:$(PREFIX)/share/nemo/actions/apod-mirror.nemo_action \
	.install/file-managers/apod-mirror.thunar.desktop:$(PREFIX)/share/Thunar/sendto/apod-mirror.desktop
# Source and destination. /usr/local in a source becomes PREFIX.
FILES := $(FILE_MANAGER_FILES) \
	.install/apod-mirror.1:$(PREFIX)/share/man/man1/apod-mirror.1 \
	.install/apod-mirror.bash:$(PREFIX)/share/bash-completion/completions/apod-mirror \
	systemd/apod-mirror.service:$(SYSTEM_UNITS)/apod-mirror.service \
	systemd/apod-mirror.user.service:$(PREFIX)/lib/systemd/user/apod-mirror.service \
	systemd/apod-mirror.sysusers.conf:$(PREFIX)/lib/sysusers.d/apod-mirror.conf \
	systemd/apod-mirror.tmpfiles.conf:$(PREFIX)/lib/tmpfiles.d/apod-mirror.conf \
	$(foreach example,$(wildcard systemd/examples/*),$(example):$(DOCUMENTS)/examples/$(notdir $(example)))
# Of a package of its own.
SIMULATOR_PAGE := .install/apod-mirror-simulator.1:$(PREFIX)/share/man/man1/apod-mirror-simulator.1
# As they are: links lead from one to the other.
PAGES := $(foreach page,README.md $(wildcard docs/*),$(page):$(DOCUMENTS)/$(page))
# Directories that nobody else has: removed once they are empty.
OURS := $(DOCUMENTS)/docs $(DOCUMENTS)/examples $(DOCUMENTS) $(PREFIX)/lib/apod-mirror

# Root's rights are asked for only where PREFIX is not ours; the build never has them.
AS_OWNER = $(shell [ "$$(id -u)" = 0 ] || [ -n "$(DESTDIR)" ] || [ -w "$(PREFIX)" ] || echo sudo)

source = $(word 1,$(subst :, ,$(1)))
target = $(DESTDIR)$(word 2,$(subst :, ,$(1)))

define install-program
	$(AS_OWNER) install -D --strip --mode=755 $(RELEASE)/$(notdir $(1)) $(DESTDIR)$(1)

endef

define install-file
	sed 's|/usr/local|$(PREFIX)|g' $(call source,$(1)) | $(AS_OWNER) install -D --mode=644 /dev/stdin $(call target,$(1))

endef

define install-page
	$(AS_OWNER) install -D --mode=644 $(call source,$(1)) $(call target,$(1))

endef

INSTALLED_PROGRAMS := $(PROGRAMS:%=$(PREFIX)/bin/%) $(HELPERS:%=$(PREFIX)/lib/apod-mirror/%)

define build-programs
	@set -e; for program in $(1); do $(SWIFT) build -c release --product $$program $(2); done
endef

release: packages
	$(call build-programs,$(PROGRAMS) $(HELPERS),--static-swift-stdlib)

release-simulator: packages
	$(call build-programs,$(SIMULATOR),--static-swift-stdlib)

install: release $(foreach file,$(FILES) $(PAGES),$(call source,$(file)))
	$(foreach program,$(INSTALLED_PROGRAMS),$(call install-program,$(program)))
	$(foreach file,$(FILES),$(call install-file,$(file)))
	$(foreach page,$(PAGES),$(call install-page,$(page)))

install-simulator: release-simulator $(call source,$(SIMULATOR_PAGE))
	$(call install-program,$(PREFIX)/bin/$(SIMULATOR))
	$(call install-file,$(SIMULATOR_PAGE))

uninstall:
	$(AS_OWNER) rm -f $(INSTALLED_PROGRAMS:%=$(DESTDIR)%) $(foreach file,$(FILES) $(PAGES),$(call target,$(file)))
	@for folder in $(OURS:%=$(DESTDIR)%); do \
		[ ! -d $$folder ] || $(AS_OWNER) rmdir --ignore-fail-on-non-empty $$folder; done

# --- The Debian packages

STAGE := $(TOP).build/deb
DEB = $(STAGE)/apod-mirror_$(VERSION)_$(shell dpkg --print-architecture).deb

deb: release release-simulator
	@$(TOP).ci/packages $(DEB_PACKAGES)
	rm -rf $(STAGE)
	install -d $(STAGE)/apod-mirror
	cp -R .debian $(STAGE)/apod-mirror/debian
	sed -i 's/@VERSION@/$(VERSION)/' $(STAGE)/apod-mirror/debian/changelog
	cd $(STAGE)/apod-mirror && SOURCE=$(TOP) dpkg-buildpackage --build=binary --unsigned-changes
	lintian --allow-root --fail-on error,warning $(STAGE)/*.changes
	@echo "The package: $(DEB)"

# The package under a real systemd, on an overlay of this machine: see Tests/machine. All processes end
# with the name space that they are in, whatever becomes of the tests.
test-service:
	@set -e; skip() { echo "Skipped: the service under a real systemd: $$1"; exit 0; }; \
	[ "$$(id -u)" = 0 ] || skip "only root can boot one"; \
	$(TOP).ci/packages $(MACHINE_PACKAGES) || skip "its packages are missing"; \
	reason=$$(timeout 30 $(TOP)Tests/machine --boot systemd.unit=poweroff.target 2>&1) || \
		skip "none can be booted here: $$reason"; \
	$(MAKE) --no-print-directory deb; \
	$(SWIFT) build --build-tests; \
	echo "== the service under a real systemd"; \
	APOD_MIRROR_PACKAGE=$(DEB) $(TOP).ci/tests timeout --foreground --verbose --signal=KILL 5m \
		unshare --pid --fork --kill-child --mount-proc \
		$(SWIFT) test --skip-build --filter "^CommandLineTests\.UnderSystemd"
