// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "apod-mirror",
    products: [
        .executable(name: "apod-mirror", targets: ["apod-mirror"]),
        .executable(name: "apod-mirror-simulator", targets: ["apod-mirror-simulator"]),
        .executable(name: "apod-mirror-thumbnailer", targets: ["apod-mirror-thumbnailer"]),
    ],
    targets: [
        .target(
            name: "APOD", dependencies: ["CXML", "JSON", "MediaFormat", "Platform", "Transfer"],
            resources: [.embedInCode("Text/HTML/characters.txt")]),
        .executableTarget(
            name: "apod-mirror",
            dependencies: [
                "APOD", "CommandLine", "Favorites", "JSON", "Maintenance", "MediaFormat", "Mirror",
                "Platform", "Service", "Thumbnails", "Transfer", "Views",
            ],
            // The usual format of relocations has 1 MB, which each start reads.
            linkerSettings: [
                .unsafeFlags(
                    ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
                    .when(configuration: .release))
            ]),
        .executableTarget(
            name: "apod-mirror-thumbnailer",
            dependencies: ["CLinux", "ThumbnailProtocol", "ThumbnailRenderer"]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .target(name: "CommandLine", dependencies: ["Platform"]),
        .systemLibrary(name: "CSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(
            name: "CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(
            name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(
            name: "Favorites",
            dependencies: ["APOD", "JSON", "MediaFormat", "Mirror", "Platform"]),
        .target(name: "JSON"),
        .target(
            name: "Maintenance",
            dependencies: ["APOD", "JSON", "MediaFormat", "Mirror", "Platform"]),
        .target(name: "MediaFormat"),
        .target(
            name: "Mirror", dependencies: ["APOD", "JSON", "MediaFormat", "Platform", "Transfer"]),
        .target(name: "Platform", dependencies: ["CInotifyTools", "CLinux", "CNettle"]),
        .target(
            name: "Service",
            dependencies: [
                "APOD", "CommandLine", "Favorites", "JSON", "Maintenance", "MediaFormat", "Mirror",
                "Platform", "Thumbnails", "Transfer", "Views",
            ]),
        .target(name: "ThumbnailProtocol"),
        .target(
            name: "ThumbnailRenderer",
            dependencies: ["CGIF", "CSPNG", "CTurboJPEG", "CWebP", "MediaFormat"]),
        .target(
            name: "Thumbnails",
            dependencies: [
                "APOD", "JSON", "MediaFormat", "Mirror", "Platform",
                "ThumbnailProtocol",
            ]),
        .target(name: "Transfer", dependencies: ["CCurl", "Platform"]),
        .target(
            name: "Views",
            dependencies: [
                "APOD", "JSON", "MediaFormat", "Mirror", "Platform", "Thumbnails",
            ],
            resources: [.embedInCode("Gallery/Assets")]),

        .executableTarget(
            name: "apod-mirror-simulator",
            dependencies: ["APOD", "CommandLine", "Platform", "Simulator"],
            path: "Tests/Simulator/Program"),
        .systemLibrary(
            name: "CMicroHTTPD", path: "Tests/Simulator/CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .target(
            name: "CPictures", path: "Tests/Simulator/Pictures", exclude: ["CREDITS.md"],
            sources: ["pictures.c"]),
        .target(
            name: "FavoritesModel",
            dependencies: ["APOD", "Favorites", "JSON", "Mirror", "Platform", "TestSupport"],
            path: "Tests/FavoritesModel"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "APOD", "JSON", "Mirror", "PictureSamples", "Platform", "ProgramTesting",
                "Simulator", "TestSupport", "Thumbnails", "Transfer", "Views",
                "apod-mirror-thumbnailer",
            ],
            path: "Tests/Benchmarks"),
        .target(
            name: "PictureSamples",
            dependencies: ["CGIF", "CSPNG", "CTurboJPEG", "CWebP", "PictureWriting"],
            path: "Tests/PictureSamples"),
        .target(
            name: "PictureWriting", dependencies: ["CGIF", "CSPNG", "CTurboJPEG"],
            path: "Tests/Simulator/PictureWriting"),
        .target(
            name: "Simulator",
            dependencies: [
                "APOD", "CGIF", "CMicroHTTPD", "CPictures", "JSON", "PictureWriting", "Platform",
            ],
            path: "Tests/Simulator",
            exclude: ["CMicroHTTPD", "PictureWriting", "Pictures", "Program"]),
        .target(name: "TestSupport", dependencies: ["Platform"], path: "Tests/TestSupport"),
        .executableTarget(
            name: "campaign",
            dependencies: [
                "APOD", "Favorites", "JSON", "MediaFormat", "Mirror", "PictureSamples", "Platform",
                "ProgramTesting", "Simulator", "TestSupport", "Transfer", "apod-mirror",
                "apod-mirror-thumbnailer", "volatile-disk",
            ],
            path: "Tests/Campaign"),
        .target(
            name: "MirrorTesting",
            dependencies: [
                "APOD", "Mirror", "Platform", "Simulator", "TestSupport", "Transfer",
            ],
            path: "Tests/MirrorTesting"),
        .target(
            name: "ProgramTesting",
            dependencies: [
                "APOD", "JSON", "Mirror", "Platform", "Simulator", "TestSupport", "Views",
            ],
            path: "Tests/ProgramTesting", exclude: ["Shims"]),
        .executableTarget(name: "volatile-disk", path: "Tests/VolatileDisk"),
        .testTarget(
            name: "APODTests",
            dependencies: ["APOD", "JSON", "Simulator", "TestSupport", "Transfer"]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "APOD", "CommandLine", "Favorites", "FavoritesModel", "JSON", "MediaFormat",
                "Mirror", "PictureSamples", "Platform", "ProgramTesting", "Service", "Simulator",
                "TestSupport", "Views", "apod-mirror", "apod-mirror-simulator",
                "apod-mirror-thumbnailer",
            ],
            exclude: ["Transcripts"]),
        .testTarget(
            name: "DerivedTests",
            dependencies: [
                "APOD", "JSON", "MediaFormat", "Mirror", "PictureSamples",
                "Platform", "TestSupport", "Thumbnails", "Views", "apod-mirror-thumbnailer",
            ]),
        .testTarget(
            name: "FavoritesTests",
            dependencies: [
                "APOD", "Favorites", "FavoritesModel", "JSON", "Mirror", "Platform", "TestSupport",
            ]),
        .testTarget(
            name: "GalleryTests",
            dependencies: [
                "APOD", "JSON", "Mirror", "Platform", "Simulator", "TestSupport", "Views",
            ]),
        .testTarget(name: "JSONTests", dependencies: ["JSON"]),
        .testTarget(
            name: "MaintenanceTests",
            dependencies: [
                "APOD", "JSON", "Maintenance", "Mirror", "MirrorTesting", "Platform", "Simulator",
                "TestSupport",
            ]),
        .testTarget(
            name: "MirrorTests",
            dependencies: [
                "APOD", "JSON", "MediaFormat", "Mirror", "MirrorTesting", "PictureSamples",
                "Platform", "Simulator", "TestSupport", "ThumbnailRenderer", "Transfer",
            ]),
        .testTarget(
            name: "PlatformTests",
            dependencies: ["CInotifyTools", "CLinux", "Platform", "TestSupport"]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "APOD", "Favorites", "FavoritesModel", "JSON", "Maintenance", "Mirror",
                "MirrorTesting", "Platform", "Service", "Simulator", "TestSupport", "Views",
            ]),
        .testTarget(
            name: "SimulatorTests",
            dependencies: ["APOD", "JSON", "Platform", "Simulator", "TestSupport", "Transfer"]),
        .testTarget(
            name: "ThumbnailRendererTests",
            dependencies: [
                "CGIF", "CSPNG", "CTurboJPEG", "CWebP", "MediaFormat", "PictureSamples", "Platform",
                "TestSupport", "ThumbnailRenderer",
            ]),
        .testTarget(
            name: "ThumbnailsTests",
            dependencies: [
                "APOD", "CLinux", "JSON", "MediaFormat", "Mirror", "PictureSamples", "Platform",
                "TestSupport", "ThumbnailProtocol", "ThumbnailRenderer", "Thumbnails",
                "apod-mirror-thumbnailer",
            ]),
        .testTarget(
            name: "TransferTests",
            dependencies: ["CCurl", "Platform", "Simulator", "TestSupport", "Transfer"]),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer has a main of its own, and its program is built with other settings: see .ci/fuzz.
if Context.environment["APOD_MIRROR_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz-pictures",
            dependencies: ["MediaFormat", "PictureSamples", "TestSupport", "ThumbnailRenderer"],
            path: "Tests/FuzzPictures"))
}

// “make demo” builds the programs and the simulator, without the tests.
if Context.environment["APOD_MIRROR_DEMO"] != nil {
    package.targets.removeAll { target in
        target.type == .test || target.path.map { !$0.hasPrefix("Tests/Simulator") } ?? false
    }
}

// “make release” builds what is installed.
if Context.environment["APOD_MIRROR_INSTALLED"] != nil {
    package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") ?? false }
    package.products.removeAll { $0.name == "apod-mirror-simulator" }
}

// “make test” does without the programs that no test starts; “make test-machine” builds them.
if Context.environment["APOD_MIRROR_TESTS_ONLY"] != nil {
    package.targets.removeAll { ["benchmarks", "campaign", "volatile-disk"].contains($0.name) }
}

for target in package.targets
where target.type != .system && !["CLinux", "CPictures", "volatile-disk"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}

// A build id depends on the directory of the build.
for target in package.targets where target.name.hasPrefix("apod-mirror") {
    target.linkerSettings =
        (target.linkerSettings ?? []) + [
            .unsafeFlags(["-Xlinker", "--build-id=none"], .when(configuration: .release))
        ]
}

// Modules that are optimized in debug builds: without it, a picture would take a second, and the tests would spend a
// third of their time on decoding lists.
let modulesFastInTests = ["APOD", "JSON", "MediaFormat", "PictureSamples", "ThumbnailRenderer"]
// Modules that are optimized for speed in releases, as they process millions of pixels, or thousands of records for a
// search. The smaller code of all others saves memory.
let modulesFastInReleases = [
    "JSON", "MediaFormat", "PictureSamples", "Platform", "ThumbnailRenderer",
]
for target in package.targets {
    if modulesFastInTests.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
    if !modulesFastInReleases.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    }
}
