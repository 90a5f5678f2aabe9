internal import CLinux
internal import Glibc

/// The paths of this program and of the programs installed with it.
package enum Installation {
    /// The path of this program; `nil` if it is unknown.
    package static let program: String? =
        (try? Directory(opening: "/proc/self"))?.target(of: "exe")

    /// The path of the internal program `name`, such as apod-mirror-thumbnailer; `nil` if it is not installed.
    ///
    /// It must be beside this program, or where packages install it.
    package static func helper(_ name: String) -> String? {
        guard let folder = program?.splitAtLastSlash?.above else { return nil }
        let paths = ["\(folder)/\(name)", "\(folder)/../lib/apod-mirror/\(name)"]
        return paths.first { unsafe access($0, X_OK) == 0 }.map(resolvedPath)
    }

    /// The modification time of this program in seconds since 1970; 0 if it is unknown.
    package static let modified = Int(clinux_program_time())
}
