import Platform
import TestSupport
import Testing

extension UnderSystemd {
    /// The files of the Debian package, which do not depend on where it was built.
    @Suite(.timeLimit(.minutes(10))) struct PackageContentsTests {
        /// Runs a program, and returns what it prints.
        @discardableResult private func run(_ words: String...) async throws -> String {
            let ending = try await Program.run(words)
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

        /// `make reproducible` compares two builds; this is what differed between them.
        @Test func noFileHasThePathOfItsBuild() async throws {
            let package = try #require(Machine.package)
            try await withTemporaryFolder { folder in
                try await run("dpkg-deb", "--raw-extract", package, "\(folder)/package")
                let search = ["grep", "--recursive", "--text", "--count", "--fixed-strings"]
                let ending = try await Program.run(search + [Machine.source, "\(folder)/package"])
                let counts = ending.output.split(separator: "\n")

                #expect(counts.count > 30)
                #expect(counts.filter { !$0.hasSuffix(":0") } == [])
            }
        }
    }
}
