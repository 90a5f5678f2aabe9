internal import Glibc

/// Where this program lies, and what was installed with it.
package enum Installation {
    /// The path of a program of ours that is not for people to call: beside this one as it was built, or
    /// where the packages put it.
    ///
    /// - Returns: `nil` where there is none.
    package static func helper(_ name: String) -> String? {
        guard let own = try? Folder(opening: "/proc/self").target(of: "exe"),
            let slash = own.lastIndex(of: "/")
        else { return nil }
        let folder = own[..<slash]
        return ["\(folder)/\(name)", "\(folder)/../lib/apod-mirror/\(name)"].first { isFile($0) }
    }

    /// Whether this user may run the program at `path`.
    package static func mayRun(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    private static func isFile(_ path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/"),
            let folder = try? Folder(opening: String(path[..<slash]))
        else { return false }
        return (try? folder.status(String(path[path.index(after: slash)...])))??.kind == .file
    }
}
