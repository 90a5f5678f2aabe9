internal import CLinux
internal import Glibc

/// The paths of this program and of the programs installed with it.
package enum Installation {
    /// The path of this program; `nil` if it is unknown.
    package static let program: String? =
        (try? Directory(opening: "/proc/self"))?.target(of: "exe")

    /// The directory of this program.
    private static var folder: Substring? {
        program.flatMap { $0.splitAtLastSlash?.above }
    }

    /// The path of an internal program, beside this one or where packages install it; `nil` if there is none.
    package static func helper(_ name: String) -> String? {
        guard let folder else { return nil }
        return ["\(folder)/\(name)", "\(folder)/../lib/apod-mirror/\(name)"].first { isFile($0) }
            .map(resolvedPath)
    }

    /// The modification time of this program in seconds since 1970; 0 if it is unknown.
    package static let modified = Int(clinux_program_time())

    private static func isFile(_ path: String) -> Bool {
        guard let (above, name) = path.splitAtLastSlash,
            let folder = try? Directory(opening: String(above))
        else { return false }
        return (try? folder.status(String(name)))??.kind == .file
    }
}

package enum Version {
    package static let current = "0.1.0"
}
