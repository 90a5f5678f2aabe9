// swift-tools-version: 6.2

import PackageDescription

// The functions at the end make the targets of each kind; the lists are in alphabetical order.

/// What nearly all modules import that concern a mirror, and what nearly all tests of them import.
let basics: [Target.Dependency] = ["APOD", "JSON", "Mirror", "Platform"]
let testBasics = basics + ["Simulator", "TestSupport"]
let pictureLibraries: [Target.Dependency] = ["CGIF", "CSPNG", "CTurboJPEG", "CWebP"]

let programs = [
    program(
        "apod-mirror",
        needs: basics + [
            "CommandLine", "Favorites", "Maintenance", "MediaFormat", "Service", "Thumbnails",
            "Transfer", "Views",
        ],
        // The usual format of relocations has 1 MB, which each start reads.
        linkerFlags: ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]),
    program(
        "apod-mirror-thumbnailer", needs: ["CLinux", "ThumbnailProtocol", "ThumbnailRenderer"]),
]

let modules = [
    module(
        "APOD", needs: ["CXML", "JSON", "MediaFormat", "Platform", "Transfer"],
        embedding: ["Text/HTML/characters.txt"], fastIn: [.debug]),
    module("CommandLine", needs: ["Platform"]),
    module("Favorites", needs: basics + ["MediaFormat"]),
    module("JSON", fastIn: [.debug, .release]),
    module("Maintenance", needs: basics + ["MediaFormat"]),
    module("MediaFormat", fastIn: [.debug, .release]),
    module(
        "Mirror", needs: ["APOD", "JSON", "MediaFormat", "Platform", "Transfer"], fastIn: [.debug]),
    module(
        "Platform", needs: ["CInotifyTools", "CLinux", "CNettle"], fastIn: [.debug, .release]),
    module(
        "Service",
        needs: basics + [
            "CommandLine", "Favorites", "Maintenance", "MediaFormat", "Thumbnails", "Transfer",
            "Views",
        ]),
    module("ThumbnailProtocol"),
    module(
        "ThumbnailRenderer", needs: pictureLibraries + ["MediaFormat"],
        fastIn: [.debug, .release]),
    module("Thumbnails", needs: basics + ["MediaFormat", "ThumbnailProtocol"]),
    module("Transfer", needs: ["CCurl", "Platform"]),
    module(
        "Views", needs: basics + ["MediaFormat", "Thumbnails"], embedding: ["Gallery/Assets"]),
]

let librariesInC: [Target] = [
    libraryOfDebian("CCurl", pkgConfig: "libcurl", package: "libcurl4-gnutls-dev"),
    libraryOfDebian("CGIF", package: "libgif-dev"),
    libraryOfDebian("CInotifyTools", package: "libinotifytools0-dev"),
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    libraryOfDebian("CNettle", pkgConfig: "nettle", package: "nettle-dev"),
    libraryOfDebian("CSPNG", pkgConfig: "spng", package: "libspng-dev"),
    libraryOfDebian("CTurboJPEG", pkgConfig: "libturbojpeg", package: "libturbojpeg0-dev"),
    libraryOfDebian("CWebP", pkgConfig: "libwebpdemux", package: "libwebp-dev"),
    libraryOfDebian("CXML", pkgConfig: "libxml-2.0", package: "libxml2-dev"),
]

/// The simulated NASA.
let simulator: [Target] = [
    program(
        "apod-mirror-simulator", needs: ["APOD", "CommandLine", "Platform", "Simulator"],
        in: "Tests/Simulator/Program"),
    libraryOfDebian(
        "CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev",
        in: "Tests/Simulator/CMicroHTTPD"),
    .target(
        name: "CPictures", path: "Tests/Simulator/Pictures", exclude: ["CREDITS.md"],
        sources: ["pictures.c"]),
    module(
        "PictureWriting", needs: ["CGIF", "CSPNG", "CTurboJPEG"],
        in: "Tests/Simulator/PictureWriting"),
    module(
        "Simulator",
        needs: ["APOD", "CGIF", "CMicroHTTPD", "CPictures", "JSON", "PictureWriting", "Platform"],
        in: "Tests/Simulator", without: ["CMicroHTTPD", "PictureWriting", "Pictures", "Program"],
        fastIn: [.debug]),
]

/// Modules that several tests import.
let testSupport = [
    module(
        "FavoritesModel", needs: basics + ["Favorites", "TestSupport"],
        in: "Tests/FavoritesModel"),
    module(
        "MirrorTesting",
        needs: ["APOD", "Mirror", "Platform", "Simulator", "TestSupport", "Transfer"],
        in: "Tests/MirrorTesting"),
    module(
        "PictureSamples", needs: pictureLibraries + ["PictureWriting"],
        in: "Tests/PictureSamples", fastIn: [.debug, .release]),
    module(
        "ProgramTesting", needs: testBasics + ["Views"], in: "Tests/ProgramTesting",
        without: ["Shims"]),
    module("TestSupport", needs: ["Platform"], in: "Tests/TestSupport"),
]

/// Programs that no test starts, but “make test-machine”, “make campaign” and “make bench”.
let testPrograms: [Target] = [
    program(
        "benchmarks",
        needs: testBasics + [
            "PictureSamples", "ProgramTesting", "Thumbnails", "Transfer", "Views",
            "apod-mirror-thumbnailer",
        ],
        in: "Tests/Benchmarks"),
    program(
        "campaign",
        needs: testBasics + [
            "Favorites", "MediaFormat", "PictureSamples", "ProgramTesting", "Transfer",
            "apod-mirror", "apod-mirror-thumbnailer", "volatile-disk",
        ],
        in: "Tests/Campaign"),
    .executableTarget(name: "volatile-disk", path: "Tests/VolatileDisk"),
]

let tests = [
    suites(
        "APODTests", needs: ["APOD", "JSON", "MediaFormat", "Simulator", "TestSupport", "Transfer"]),
    suites(
        "CommandLineTests",
        needs: testBasics + [
            "CommandLine", "Favorites", "FavoritesModel", "MediaFormat", "PictureSamples",
            "ProgramTesting", "Service", "Views", "apod-mirror", "apod-mirror-simulator",
            "apod-mirror-thumbnailer",
        ],
        without: ["Transcripts"]),
    suites(
        "DerivedTests",
        needs: basics + [
            "MediaFormat", "PictureSamples", "TestSupport", "Thumbnails", "Views",
            "apod-mirror-thumbnailer",
        ]),
    suites("FavoritesTests", needs: basics + ["Favorites", "FavoritesModel", "TestSupport"]),
    suites("GalleryTests", needs: testBasics + ["Views"]),
    suites("JSONTests", needs: ["JSON"]),
    suites("MaintenanceTests", needs: testBasics + ["Maintenance", "MirrorTesting"]),
    suites(
        "MirrorTests",
        needs: testBasics + [
            "MediaFormat", "MirrorTesting", "PictureSamples", "ThumbnailRenderer", "Transfer",
        ]),
    suites("PlatformTests", needs: ["CInotifyTools", "CLinux", "Platform", "TestSupport"]),
    suites(
        "ServiceTests",
        needs: testBasics + [
            "Favorites", "FavoritesModel", "Maintenance", "MirrorTesting", "Service", "Views",
        ]),
    suites(
        "SimulatorTests",
        needs: ["APOD", "JSON", "Platform", "Simulator", "TestSupport", "Transfer"]),
    suites(
        "ThumbnailRendererTests",
        needs: pictureLibraries + [
            "MediaFormat", "PictureSamples", "Platform", "TestSupport", "ThumbnailRenderer",
        ]),
    suites(
        "ThumbnailsTests",
        needs: basics + [
            "CLinux", "MediaFormat", "PictureSamples", "TestSupport", "ThumbnailProtocol",
            "ThumbnailRenderer", "Thumbnails", "apod-mirror-thumbnailer",
        ]),
    suites("TransferTests", needs: ["CCurl", "Platform", "Simulator", "TestSupport", "Transfer"]),
]

let package = Package(
    name: "apod-mirror",
    products: [
        .executable(name: "apod-mirror", targets: ["apod-mirror"]),
        .executable(name: "apod-mirror-thumbnailer", targets: ["apod-mirror-thumbnailer"]),
    ],
    targets: programs + modules + librariesInC,
    swiftLanguageModes: [.v6]
)

func isSet(_ variable: String) -> Bool { Context.environment[variable] != nil }

// “make release” sets this variable, and builds only what is installed.
if !isSet("APOD_MIRROR_INSTALLED") {
    package.products.append(
        .executable(name: "apod-mirror-simulator", targets: ["apod-mirror-simulator"]))
    package.targets += simulator
    // “make demo” does without the tests.
    if !isSet("APOD_MIRROR_DEMO") {
        package.targets += testSupport + tests
        // “make test” does without the programs that no test starts.
        if !isSet("APOD_MIRROR_TESTS_ONLY") { package.targets += testPrograms }
    }
}

// libFuzzer has a main of its own, and its program is built with other settings: see .ci/fuzz.
if isSet("APOD_MIRROR_FUZZ") {
    package.targets.append(
        program(
            "fuzz-pictures",
            needs: ["MediaFormat", "PictureSamples", "TestSupport", "ThumbnailRenderer"],
            in: "Tests/FuzzPictures"))
}

// MARK: Kinds of targets

enum Build { case debug, release }

/// A module in Swift; without a `folder`, that of its name in Sources.
///
/// In `fastBuilds`, it is optimized for speed. Debug builds: a picture would otherwise take a second, and the tests would need
/// half as much processor time again for decoding lists and for system calls; the build takes no longer. Releases: the module
/// processes millions of pixels, or thousands of records for a search; the smaller code of all others saves memory.
func module(
    _ name: String, needs: [Target.Dependency] = [], in folder: String? = nil,
    without excluded: [String] = [], embedding files: [String] = [],
    fastIn fastBuilds: Set<Build> = []
) -> Target {
    .target(
        name: name, dependencies: needs, path: folder, exclude: excluded,
        resources: files.map { .embedInCode($0) }, swiftSettings: swiftSettings(fastBuilds))
}

/// A program; releases get the `linkerFlags`.
func program(
    _ name: String, needs: [Target.Dependency], in folder: String? = nil,
    linkerFlags: [String] = []
) -> Target {
    // A build id depends on the directory of the build.
    let flags = linkerFlags + ["-Xlinker", "--build-id=none"]
    return .executableTarget(
        name: name, dependencies: needs, path: folder, swiftSettings: swiftSettings([]),
        linkerSettings: [.unsafeFlags(flags, .when(configuration: .release))])
}

/// The suites of one folder in Tests.
func suites(
    _ name: String, needs: [Target.Dependency], without excluded: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: needs, exclude: excluded, swiftSettings: swiftSettings([]))
}

/// The headers of a library that a package of Debian contains.
func libraryOfDebian(
    _ name: String, pkgConfig: String? = nil, package: String, in folder: String? = nil
) -> Target {
    .systemLibrary(name: name, path: folder, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func swiftSettings(_ fastBuilds: Set<Build>) -> [SwiftSetting] {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
    if fastBuilds.contains(.debug) {
        settings.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
    if !fastBuilds.contains(.release) {
        settings.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    }
    return settings
}
