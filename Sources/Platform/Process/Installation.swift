internal import CLinux
internal import Glibc

/// Where this program lies, and what was installed with it.
package enum Installation {
    /// The path of this program, `nil` where nobody can tell.
    package static let program: String? = {
        if let own = (try? Directory(opening: "/proc/self"))?.target(of: "exe") { return own }
        // Where proc(5) is not mounted.
        return unsafe clinux_program().flatMap { unsafe realPath(String(cString: $0)) }
    }()

    /// The path of a program of ours that is not for people to call: beside this one as it was built, or
    /// where the packages put it.
    ///
    /// - Returns: `nil` where there is none.
    package static func helper(_ name: String) -> String? {
        guard let own = program, let slash = own.lastIndex(of: "/") else { return nil }
        let folder = own[..<slash]
        return ["\(folder)/\(name)", "\(folder)/../lib/apod-mirror/\(name)"].first { isFile($0) }
    }

    /// The path of the program `name` for people: beside this one, else in the directories of `path`, the
    /// variable `PATH`.
    ///
    /// - Returns: `nil` where it is in neither.
    package static func companion(_ name: String, path: String?) -> String? {
        let beside = program.flatMap { own in
            own.lastIndex(of: "/").map { "\(own[..<$0])/\(name)" }
        }
        if let beside, isFile(beside), mayRun(beside) { return beside }
        return ExternalProgram.find(name, in: path)
    }

    /// What a person types to call the program at `program`: its name where the variable `PATH` finds it,
    /// else its path.
    package static func command(for program: String, path: String?) -> String {
        let name = String(
            program[
                (program.lastIndex(of: "/").map(program.index(after:)) ?? program.startIndex)...])
        let found = ExternalProgram.find(name, in: path)
        return found.flatMap(realPath) == realPath(program) ? name : program
    }

    /// When the file of this program was written, in seconds since 1970; 0 where nobody can tell.
    package static var modified: Int { Int(clinux_program_time()) }

    /// Whether this user may run the program at `path`.
    package static func mayRun(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    private static func isFile(_ path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/"),
            let folder = try? Directory(opening: String(path[..<slash]))
        else { return false }
        return (try? folder.status(String(path[path.index(after: slash)...])))??.kind == .file
    }
}
