import Glibc
import TestSupport

/// The libraries of `Shims/`, each compiled once by a process that preloads it into programs.
package enum PreloadedLibrary {
    package static let faults = Task { try await compiled("faults") }
    package static let surroundings = Task { try await compiled("surroundings") }

    private struct CompilerError: Error { let text: String }

    /// Compiles `Shims/NAME.c`, and returns the path of the library beside the programs, where every user may read it.
    private static func compiled(_ name: String) async throws -> String {
        let library = "\(Program.path)-\(name).so"
        // Programs of another process may have loaded the one that it replaces.
        let new = "\(library).\(getpid())"
        let source = "\(sourceTree)/Tests/ProgramTesting/Shims/\(name).c"
        let compiler = try await Program.run([
            "cc", "-shared", "-fPIC", "-O1", "-o", new, source, "-ldl",
        ])
        guard compiler.code == 0, unsafe rename(new, library) == 0 else {
            throw CompilerError(text: compiler.errors)
        }
        return library
    }
}
