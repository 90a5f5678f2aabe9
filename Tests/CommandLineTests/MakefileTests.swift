import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// Paths that make cannot handle; `InstallTests` has those that it can.
    @Suite(.timeLimit(.minutes(10))) struct MakefileTests {
        private func make(_ words: String...) async throws -> Ending {
            let command = ["make", "--no-print-directory", "SWIFT=true", "--directory"]
            return try await Program(command + words, environment: [:]).end()
        }

        /// “My Files” would be two paths, and “a:b” would end at the colon.
        @Test(arguments: ["DESTDIR", "PREFIX"], ["My Files", "My:Files", "My Files ", "*"])
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
    }
}
