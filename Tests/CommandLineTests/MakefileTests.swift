import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// Paths that make cannot handle; `InstallTests` has those that it can.
    @Suite(.timeLimit(.minutes(10))) struct MakefileTests {
        private func make(_ words: String...) async throws -> Ending {
            let command = ["make", "--no-print-directory", "SWIFT=true", "--directory"]
            return try await Program.run(command + words)
        }

        /// “My Files” would be two paths, and “a:b” would end at the colon.
        @Test(arguments: ["DESTDIR", "PREFIX"], ["My Files", "My:Files"])
        func uninstallRemovesNothingBelowAnotherPath(variable: String, name: String) async throws {
            try await withTemporaryFolder { folder in
                let path = "\(folder)/\(name)"
                let directory = try Directory(opening: folder)
                try directory.symlink("My", to: "target")

                let ending = try await make(
                    sourceTree, "uninstall", "DESTDIR=\(folder)", "\(variable)=\(path)")

                #expect(ending.code == 2 && ending.output == "", "\(ending)")
                #expect(ending.errors.contains("\(variable)=\(path)"), "\(ending)")
                #expect(directory.target(of: "My") == "target")
            }
        }

        @Test(arguments: ["My Clone", "100%"])
        func aCloneAtSuchAPathIsNamed(name: String) async throws {
            try await withTemporaryFolder { folder in
                let clone = try Directory(opening: folder).makeDirectory(name)
                let makefile = try #require(try Directory(opening: sourceTree).read("Makefile"))
                try AtomicFile.publish(makefile, in: clone, as: "Makefile", through: clone)

                let ending = try await make("\(folder)/\(name)", "lint")

                #expect(ending.code == 2, "\(ending)")
                #expect(ending.errors.contains("\(folder)/\(name) cannot be built in"), "\(ending)")
            }
        }

        /// Targets that need no Swift.
        private static let withoutSwift: Set = [
            "clean", "deb-in-container", "dist-index", "uninstall",
        ]

        @Test func withoutSwiftEachTargetSaysInOneLineHowToGoOn() async throws {
            let makefile = try #require(try Directory(opening: sourceTree).read("Makefile"))
            let list = try #require(
                String(decoding: makefile, as: UTF8.self).firstMatch(of: #/\n\.PHONY: (.*)/#))
            let targets = Set(list.1.split(separator: " ").map(String.init))
            #expect(targets.count > 20 && targets.isSuperset(of: Self.withoutSwift))

            for target in targets.subtracting(Self.withoutSwift) {
                let ending = try await make(sourceTree, target, "SWIFT=no-swift")

                #expect(ending.code == 2 && ending.output == "", "\(target): \(ending)")
                // Its line, and that of make.
                #expect(ending.errors.split(separator: "\n").count == 2, "\(target): \(ending)")
                for way in ["https://swift.org/install", "make deb-in-container", "latest release"]
                {
                    #expect(ending.errors.contains(way), "\(target): \(ending)")
                }
            }
        }

        @Test func anOlderSwiftIsNamedWithItsVersion() async throws {
            try await withTemporaryFolder { folder in
                try script("echo Swift version 5.10.1", at: "\(folder)/swift")

                let ending = try await make(sourceTree, "lint", "SWIFT=\(folder)/swift")

                #expect(ending.code == 2, "\(ending)")
                #expect(ending.errors.contains("is Swift 5.10.1"), "\(ending)")
            }
        }

        /// On another distribution, and for a user who may not install.
        @Test(arguments: [("", "not Debian"), ("apt-get", "sudo is missing")])
        func packagesThatCannotBeInstalledAreNamed(command: String, reason: String) async throws {
            try await withTemporaryFolder { folder in
                try script("echo 1000", at: "\(folder)/id")
                if command != "" { try script("exit 1", at: "\(folder)/\(command)") }

                let packages = try Program(
                    ["\(sourceTree)/.ci/packages", "libone-dev", "libtwo-dev"],
                    environment: ["PATH": folder])
                let ending = try await packages.end()

                #expect(ending.code == 1, "\(ending)")
                #expect(ending.errors.contains(reason), "\(ending)")
                #expect(ending.errors.contains("libone-dev libtwo-dev"), "\(ending)")
            }
        }

        /// Docker has its builder as a plugin, which may be missing.
        @Test(arguments: [
            ("docker", "/docker needs its plugin buildx"),
            ("", "podman, buildah and docker are missing"),
        ])
        func aMissingBuilderOfImagesIsNamedInOneLine(tool: String, reason: String) async throws {
            try await withTemporaryFolder { folder in
                // “docker buildx” without the plugin.
                try script("exit 1", at: "\(folder)/docker")
                let path = tool.isEmpty ? "" : "\(folder)/\(tool)"

                let ending = try await make(sourceTree, "deb-in-container", "CONTAINERS=\(path)")

                #expect(ending.code == 2 && ending.output == "", "\(ending)")
                // Its line, and that of make.
                #expect(ending.errors.split(separator: "\n").count == 2, "\(ending)")
                #expect(ending.errors.contains(reason), "\(ending)")
            }
        }

        /// Creates a shell script.
        private func script(_ line: String, at path: String) throws {
            let (above, name) = try #require(path.splitAtLastSlash)
            let folder = try Directory(opening: String(above))
            let bytes = Array("#!/bin/sh\n\(line)\n".utf8)
            try AtomicFile.publish(bytes, in: folder, as: String(name), through: folder)
            try folder.openToRead(String(name)).setMode(0o755, path: path)
        }
    }
}
