# Targets for building, testing and installing. Each installs missing Debian packages and prints them.

PREFIX ?= /usr/local
SWIFT ?= swift
# The address of the project, such as https://github.com/OWNER/apod-mirror. Packages and releases take it from here.
HOMEPAGE ?=

# Make and the recipes would take one path with such a character for two, or for another path.
SPECIAL := % : ' " ` \ | & ; < > ( ) [ ] { } * ? ! \# $$
unusable = $(filter-out 1,$(words [$(1)]))$(strip $(foreach character,$(SPECIAL),$(findstring $(character),$(1))))
RULE := no white space and none of $(SPECIAL)
$(foreach variable,DESTDIR PREFIX SYSTEM_UNITS ZSH_FUNCTIONS,$(if $(call unusable,$($(variable))),\
	$(error $(variable)=$($(variable)) cannot be used: choose a path with $(RULE))))
MAKEFILE := $(abspath $(lastword $(MAKEFILE_LIST)))
$(if $(call unusable,$(CURDIR)$(MAKEFILE)),\
	$(error $(CURDIR) cannot be built in: move the clone to a path with $(RULE)))

TOP := $(dir $(MAKEFILE))
RELEASE := $(TOP).build/release
VERSION := $(shell sed -n 's/.*static let current = "\(.*\)"/\1/p' $(TOP)Sources/Platform/Process/Version.swift)
ifeq ($(VERSION),)
$(error no version in $(TOP)Sources/Platform/Process/Version.swift)
endif

BUILD_PACKAGES := libgif-dev libinotifytools0-dev libmicrohttpd-dev libspng-dev libturbojpeg0-dev libxml2-dev \
	libwebp-dev nettle-dev pkg-config
BENCH_PACKAGES := curl libvips-tools nginx-light openssl ripgrep
CAMPAIGN_PACKAGES := btrfs-progs gcc strace xfsprogs
DESKTOP_PACKAGES := dbus-daemon nemo pcmanfm thunar xclip xdotool xvfb
DEB_PACKAGES := debhelper dpkg-dev lintian
DIST_PACKAGES := git gpg python3-minimal
DISK_PACKAGES := exfat-fuse exfatprogs fuse3 gocryptfs mergerfs ntfs-3g rclone restic
MACHINE_PACKAGES := acl dbus jq libpam-systemd libvips-tools systemd-container
RECIPE_PACKAGES := busybox caddy curl gsettings-desktop-schemas jq libglib2.0-bin libvips-tools mosquitto \
	mosquitto-clients msmtp nginx-light prometheus python3 rsync samba-common-bin syncthing

.PHONY: all demo test test-machine machine-packages test-faults test-service campaign sanitize mutants fuzz bench docs lint format release release-simulator install install-simulator uninstall deb deb-in-container portable dist dist-index reproducible clean packages need-swift

all: packages
	$(SWIFT) build

# One build for the demo and all tests, faster than that of “swift build”: whole modules at once, few optimized, without
# information for debuggers. Its index is where “swift test” looks for tests.
FAST := -debug-info-format none -Xswiftc -gnone -Xswiftc -use-ld=lld -Xswiftc -whole-module-optimization \
	-Xswiftc -disable-batch-mode -Xswiftc -num-threads -Xswiftc 2 --scratch-path $(TOP).build/fast
FAST_PROGRAMS := $(TOP).build/fast/debug
BUILD_TESTS := $(SWIFT) build --build-tests $(FAST)
RUN_TESTS := $(SWIFT) test --skip-build $(FAST)

# One build for what is installed, measured and tested with faults.
BUILD_RELEASE := $(SWIFT) build -c release --static-swift-stdlib -debug-info-format none -Xswiftc -gnone

demo: packages
	APOD_MIRROR_DEMO=1 $(SWIFT) build $(FAST)
	$(FAST_PROGRAMS)/$(SIMULATOR) demo $(DIR)

# What every change needs, on any machine: at most 10 minutes on two processors, with the packages and the build.
# FILTER: only the suites whose names match this pattern. Without it, all but YearTests, of which test-machine runs a year.
test: lint packages
	APOD_MIRROR_TESTS_ONLY=1 $(BUILD_TESTS)
	@$(TOP).ci/tests $(RUN_TESTS) $(if $(FILTER),--filter "$(FILTER)",--skip "^ServiceTests\.YearTests")

# What needs a machine of its own: long random tests, a browser, file managers, faults of disks and processes, the programs
# of recipes, a real systemd. At most 20 minutes after “make test”, whose build it uses; it adds the fault campaign and the
# benchmarks. Debian starts servers that it installs, such as nginx.
test-machine: packages machine-packages
	$(BUILD_TESTS)
	@echo "== 100,000 random operations, 5000 random files, and the gallery in a browser"
	@APOD_MIRROR_OPERATIONS=100000 APOD_MIRROR_INPUTS=5000 APOD_MIRROR_BROWSER=1 \
		$(TOP).ci/tests $(RUN_TESTS) \
		--filter "^(FavoritesTests\.(Property|ClassifierFuzz)Tests|GalleryTests\.)"
	@# By itself, because other suites that watch directories would have to wait for it.
	@echo "== 3,000 changes of favorites/ while it is watched"
	@APOD_MIRROR_OPERATIONS=3000 $(TOP).ci/tests $(RUN_TESTS) --filter "^ServiceTests\.FavoritesServiceTests"
	@# By itself, because the memory that it measures is that of the process.
	@echo "== a simulated year"
	@APOD_MIRROR_YEAR=1 $(TOP).ci/tests $(RUN_TESTS) --filter "^ServiceTests\.YearTests"
	@# At once, because the first one mostly waits while the second one builds the package.
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-faults test-service

# All at first: what is installed beside the containers of test-service would change the root below their overlay.
machine-packages: need-swift
	@[ "$$(id -u)" != 0 ] || for packages in "$(CAMPAIGN_PACKAGES)" "$(DISK_PACKAGES)" "$(RECIPE_PACKAGES)" \
		"$(DESKTOP_PACKAGES)" "$(MACHINE_PACKAGES)" "$(DEB_PACKAGES)"; do $(TOP).ci/packages $$packages || true; done

# The parts of test-machine with faults, and with programs of others.
test-faults: packages machine-packages
	@# One seed, so that a change fails for what it did; “make campaign” draws another each time.
	@$(MAKE) --no-print-directory campaign SECONDS=$(or $(SECONDS),2) CAMPAIGN=$(FAST_PROGRAMS)/campaign \
		ARGUMENTS="--seed 1"
	@$(MAKE) --no-print-directory campaign PARTS=fuzz-media SECONDS=60 CAMPAIGN=$(FAST_PROGRAMS)/campaign \
		ARGUMENTS="--seed 1"
	@echo "== mirrors on mounted disks"
	@APOD_MIRROR_DISKS=1 $(TOP).ci/tests $(RUN_TESTS) \
		--filter "^CommandLineTests\..*MountedDiskTests"
	@echo "== recipes of the documents, with the programs that they name"
	@$(TOP).ci/tests $(RUN_TESTS) \
		--filter "^CommandLineTests\..*(Figures|Notification|OtherProgram|Recipe|Screen|WebServer)Tests"
	@echo "== the mirror in windows of file managers"
	@APOD_MIRROR_DESKTOP=1 $(TOP).ci/tests $(RUN_TESTS) \
		--filter "^CommandLineTests\..*FileManagerTests"

# Writes what is made from the declarations of commands and options: parts of the manual, the documents, the
# completions and the default file; also what the commands print in the tests.
docs: packages
	$(BUILD_TESTS)
	APOD_MIRROR_WRITE=1 $(RUN_TESTS) --filter "^CommandLineTests\..*(GeneratedFileTests|TranscriptTests)"

# All tests with the thread and address sanitizers, one test at a time. The thumbnailer is built without them,
# because they exceed its memory limit; its decoders are tested with them, its sandbox is not.
sanitize: packages
	$(SWIFT) build --product apod-mirror-thumbnailer
	@set -e; for kind in thread address; do \
		export APOD_MIRROR_OPERATIONS=3000 LSAN_OPTIONS=suppressions=$(TOP)Tests/Sanitizers/leaks.txt \
			TSAN_OPTIONS=suppressions=$(TOP)Tests/Sanitizers/races.txt; \
		build="--sanitize=$$kind --scratch-path $(TOP).build/$$kind"; \
		$(SWIFT) build --build-tests $$build; \
		install $(TOP).build/debug/apod-mirror-thumbnailer $(TOP).build/$$kind/debug; \
		echo "== $$kind"; \
		$(TOP).ci/tests $(SWIFT) test --skip-build $$build --no-parallel --skip SandboxTests; done

# Breaks each safety line that a comment marks, one at a time: a test must fail for it.
mutants: packages
	@SWIFT="$(SWIFT)" $(TOP)Tests/Mutants/run

# All parts of the fault campaign, each for a given number of seconds; see docs/reliability.md. It works in memory.
SECONDS_OF_PART = $(if $(SECONDS),--seconds $(SECONDS))
CAMPAIGN ?= $(RELEASE)/campaign
campaign: packages
	@[ "$$(id -u)" != 0 ] || $(TOP).ci/packages $(CAMPAIGN_PACKAGES) || true
	$(if $(filter $(RELEASE)/%,$(CAMPAIGN)),$(BUILD_RELEASE))
	@$(TOP).ci/tests $(CAMPAIGN) $(or $(PARTS),all) $(SECONDS_OF_PART) $(ARGUMENTS)

bench: packages
	@$(TOP).ci/packages $(BENCH_PACKAGES)
	$(BUILD_RELEASE)
	$(RELEASE)/benchmarks

fuzz: packages
	@SWIFT=$(SWIFT) $(TOP).ci/fuzz $(SECONDS)

lint: need-swift
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format: need-swift
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

clean:
	rm -rf $(TOP).build

packages: need-swift
	@$(TOP).ci/packages $(BUILD_PACKAGES) libcurl

need-swift:
	@$(TOP).ci/need-swift "$(SWIFT)"

# --- Installation below PREFIX; also the contents of the Debian packages

PROGRAMS := apod-mirror
# Internal programs, started by others.
HELPERS := apod-mirror-thumbnailer
# Not part of “install”; its own Debian package.
SIMULATOR := apod-mirror-simulator
SYSTEM_UNITS ?= $(PREFIX)/lib/systemd/system
ZSH_FUNCTIONS ?= $(PREFIX)/share/zsh/site-functions
DOCUMENTS := $(PREFIX)/share/doc/apod-mirror
# Menu entries for file managers.
FILE_MANAGER_FILES := \
	.install/file-managers/apod-mirror.dolphin.desktop:$(PREFIX)/share/kio/servicemenus/apod-mirror.desktop \
	.install/file-managers/apod-mirror.nemo_action:$(PREFIX)/share/nemo/actions/apod-mirror.nemo_action \
	.install/file-managers/apod-mirror.thunar.desktop:$(PREFIX)/share/Thunar/sendto/apod-mirror.desktop
# SOURCE:DESTINATION. /usr/local in a source is replaced by PREFIX.
FILES := $(FILE_MANAGER_FILES) \
	.install/apod-mirror.1:$(PREFIX)/share/man/man1/apod-mirror.1 \
	.install/apod-mirror.default:$(PREFIX)/share/apod-mirror/default \
	.install/compose.yaml:$(DOCUMENTS)/examples/compose.yaml \
	.install/completion/apod-mirror.bash:$(PREFIX)/share/bash-completion/completions/apod-mirror \
	.install/completion/apod-mirror.fish:$(PREFIX)/share/fish/vendor_completions.d/apod-mirror.fish \
	.install/completion/_apod-mirror:$(ZSH_FUNCTIONS)/_apod-mirror \
	systemd/apod-mirror.service:$(SYSTEM_UNITS)/apod-mirror.service \
	systemd/apod-mirror.user.service:$(PREFIX)/lib/systemd/user/apod-mirror.service \
	systemd/apod-mirror.folders.conf:$(PREFIX)/share/apod-mirror/folders.conf \
	systemd/apod-mirror.sysusers.conf:$(PREFIX)/lib/sysusers.d/apod-mirror.conf \
	$(foreach example,$(wildcard systemd/examples/*.* systemd/examples/screen/*),$(example):$(DOCUMENTS)/examples/$(notdir $(example)))
# The manual page of the simulator.
SIMULATOR_PAGE := .install/apod-mirror-simulator.1:$(PREFIX)/share/man/man1/apod-mirror-simulator.1
# Installed at the same places, because they link to each other, but without pictures.
PAGES := $(foreach page,README.md $(wildcard docs/*.md docs/schemas/*),$(page):$(DOCUMENTS)/$(page))
# Directories that “uninstall” removes if they are empty.
OURS := $(DOCUMENTS)/docs/schemas $(DOCUMENTS)/docs $(DOCUMENTS)/examples $(DOCUMENTS) $(PREFIX)/lib/apod-mirror $(PREFIX)/share/apod-mirror

# Use sudo only if this user may not write to PREFIX, and never for the build.
AS_OWNER = $(shell [ "$$(id -u)" = 0 ] || [ -n "$(DESTDIR)" ] || [ -w "$(PREFIX)" ] || echo sudo)

source = $(word 1,$(subst :, ,$(1)))
target = $(DESTDIR)$(word 2,$(subst :, ,$(1)))

define install-program
	$(AS_OWNER) install -D --strip --strip-program=$(TOP).install/strip --mode=755 \
		$(RELEASE)/$(notdir $(1)) $(DESTDIR)$(1)

endef

define install-file
	sed 's|/usr/local|$(PREFIX)|g' $(call source,$(1)) | $(AS_OWNER) install -D \
		--mode=$(shell test -x $(call source,$(1)) && echo 755 || echo 644) /dev/stdin $(call target,$(1))

endef

define install-page
	sed '/^!\[/d' $(call source,$(1)) | $(AS_OWNER) install -D --mode=644 /dev/stdin $(call target,$(1))

endef

INSTALLED_PROGRAMS := $(PROGRAMS:%=$(PREFIX)/bin/%) $(HELPERS:%=$(PREFIX)/lib/apod-mirror/%)

release: packages
	APOD_MIRROR_INSTALLED=1 $(BUILD_RELEASE)

release-simulator: packages
	APOD_MIRROR_DEMO=1 $(BUILD_RELEASE)

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
	sed -i 's|@HOMEPAGE@|$(HOMEPAGE)|; /^Homepage: $$/d' $(STAGE)/apod-mirror/debian/control
	@# The packages above are all that it needs, without build-essential.
	cd $(STAGE)/apod-mirror && \
		SOURCE=$(TOP) dpkg-buildpackage --build=binary --unsigned-changes --no-check-builddeps
	lintian --allow-root --fail-on error,warning $(STAGE)/*.changes
	@echo "The package: $(DEB)"

# The same without Swift on this machine, in a container. CONTAINER_OPTIONS: more options of “podman build” or its like.
# Docker comes last: without its plugin buildx it can build none of the images.
CONTAINERS ?= $(firstword $(foreach tool,podman buildah docker,$(if $(shell command -v $(tool)),$(tool))))
BUILDX := $(if $(filter docker,$(notdir $(CONTAINERS))),buildx)
deb-in-container:
	@[ -n "$(CONTAINERS)" ] || { echo "podman, buildah and docker are missing: install one of them" >&2; exit 1; }
	@[ -z "$(BUILDX)" ] || $(CONTAINERS) buildx version >/dev/null 2>&1 || \
		{ echo "$(CONTAINERS) needs its plugin buildx (docker-buildx); or install podman or buildah" >&2; exit 1; }
	rm -rf $(STAGE)
	$(CONTAINERS) $(BUILDX) build --target packages --output $(STAGE) $(CONTAINER_OPTIONS) $(TOP)
	@echo "The package: $(DEB)"

# --- What a release has

# The files of “install” with a script that puts them below any PREFIX.
PORTABLE := $(TOP).build/portable
portable: need-swift
	rm -rf $(PORTABLE)
	@$(MAKE) --no-print-directory install DESTDIR=$(PORTABLE) PREFIX=/@PREFIX@
	mv $(PORTABLE)/@PREFIX@ $(PORTABLE)/files
	install --mode=644 LICENSE $(PORTABLE)
	install --mode=755 .install/release/install.sh $(PORTABLE)

# dist/: packages, archives, an image, an apt repository, checksums, a bill of materials and notes; GPG_KEY=NAME signs.
DIST := GPG_KEY="$(GPG_KEY)" HOMEPAGE="$(HOMEPAGE)" SWIFT="$(SWIFT)" CONTAINERS="$(CONTAINERS)" \
	CONTAINER_OPTIONS="$(CONTAINER_OPTIONS)" $(TOP).install/release/dist
dist: need-swift
	@$(TOP).ci/packages $(DEB_PACKAGES) $(DIST_PACKAGES)
	@$(DIST) check $(VERSION)
	@$(MAKE) --no-print-directory deb
	@$(MAKE) --no-print-directory portable
	@$(DIST) make $(VERSION) $(STAGE) $(PORTABLE) $(addprefix $(RELEASE)/,$(PROGRAMS) $(HELPERS) $(SIMULATOR))

# The repository and the checksums alone, after packages of another architecture were put into dist/.
dist-index:
	@$(TOP).ci/packages dpkg-dev gpg
	@$(DIST) index $(TOP)dist

# The packages of two clones at different paths must have the same bytes.
reproducible: packages
	@SWIFT="$(SWIFT)" $(TOP).ci/reproducible

# Tests the package under a real systemd, in a container on an overlay of this machine: see Tests/machine.
# All processes end with their PID namespace.
test-service: need-swift
	@set -e; skip() { echo "Skipped: the service under a real systemd: $$1"; exit 0; }; \
	[ "$$(id -u)" = 0 ] || skip "only root can boot one"; \
	$(TOP).ci/packages $(MACHINE_PACKAGES) || skip "its packages are missing"; \
	reason=$$(timeout 600 $(TOP)Tests/machine --boot systemd.unit=poweroff.target 2>&1) || \
		skip "none can be booted here: $$reason"; \
	$(MAKE) --no-print-directory deb; \
	$(BUILD_TESTS); \
	echo "== the service under a real systemd"; \
	APOD_MIRROR_PACKAGE=$(DEB) $(TOP).ci/tests timeout --foreground --verbose --signal=KILL 60m \
		unshare --pid --fork --kill-child --mount-proc \
		$(RUN_TESTS) --filter "^CommandLineTests\.UnderSystemd"
