import Platform
import TestSupport
import Testing

extension UnderSystemd {
    /// The files of the Debian package, which do not depend on where it was built.
    @Suite(.timeLimit(.minutes(10))) struct PackageContentsTests {
        /// Runs `body` with the folder of the extracted package.
        private func withPackage(_ body: (String) async throws -> Void) async throws {
            try await withTemporaryFolder { folder in
                try await run(
                    "dpkg-deb", "--raw-extract", try #require(Machine.package), "\(folder)/package")
                try await body("\(folder)/package")
            }
        }

        /// Runs a program, and returns what it prints.
        @discardableResult private func run(_ words: String...) async throws -> String {
            let ending = try await Program(words, environment: [:]).end()
            #expect(ending.code == 0, "\(ending)")
            return ending.output
        }

        @Test func thePackageRecommendsNothingAndDependsOnWhatItNeeds() async throws {
            let package = try #require(Machine.package)
            let dependencies = try await run("dpkg-deb", "--field", package, "Depends")

            let recommended = try await run("dpkg-deb", "--field", package, "Recommends")
            #expect(recommended.split(separator: "\n").isEmpty, "\(recommended)")
            for name in ["ca-certificates", "libcurl", "libxml2"] {
                #expect(dependencies.contains(name), "\(dependencies)")
            }
        }

        @Test func noFileHasThePathOfItsBuild() async throws {
            try await withPackage { package in
                let search = ["grep", "--recursive", "--text", "--count", "--fixed-strings"]
                let ending = try await Program(
                    search + [Machine.source, package], environment: [:]
                ).end()
                let counts = ending.output.split(separator: "\n")

                #expect(counts.count > 30)
                #expect(counts.filter { !$0.hasSuffix(":0") } == [])
            }
        }

        /// `make reproducible` compares two builds; these are what differed between them.
        @Test func noProgramHasAHashOverItsBuild() async throws {
            try await withPackage { package in
                for program in ["bin/apod-mirror", "lib/apod-mirror/apod-mirror-thumbnailer"] {
                    let path = "\(package)/usr/\(program)"
                    let sections = try await run("readelf", "--sections", "--wide", path)
                    #expect(sections.contains(" .text "))
                    #expect(!sections.contains(" .note.gnu.build-id "))

                    try await run(
                        "objcopy", "--dump-section", ".swift_modhash=\(package)/hashes", path)
                    let hashes = try Directory(opening: package).read("hashes")
                    #expect(hashes?.allSatisfy { $0 == 0 } == true)
                }
            }
        }
    }
}
