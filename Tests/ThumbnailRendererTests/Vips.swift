import Glibc
import Platform

/// vipsthumbnail(1) of libvips.
enum Vips {
    private static let program = "/usr/bin/vipsthumbnail"

    static var isThere: Bool { unsafe access(program, X_OK) == 0 }

    /// Its thumbnails of the pictures at `paths`, whose names are unique.
    static func thumbnails(of paths: [String], in folder: String) throws -> [[UInt8]] {
        let output = ["--size", "512x512>", "--output", "\(folder)/%s.vips.jpg[Q=85]"]
        let words = [program] + output + paths
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, program, nil, nil, arguments, environ)
        guard code == 0 else { throw SystemError("posix_spawn", path: program, code: code) }
        var status = CInt(0)
        while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
        let results = try Directory(opening: folder)
        return try paths.map { path in
            let name = path.split(separator: "/").last?.split(separator: ".").dropLast()
            return try results.read("\(name?.joined(separator: ".") ?? "").vips.jpg") ?? []
        }
    }
}
