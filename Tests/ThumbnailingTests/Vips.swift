import Glibc
import Platform

/// libvips's vipsthumbnail: see its manual page.
enum Vips {
    private static let program = "/usr/bin/vipsthumbnail"

    static var isThere: Bool { unsafe access(program, X_OK) == 0 }

    /// Its thumbnail of the picture at `path`, as ours are to be.
    static func thumbnail(of path: String, in folder: String) throws -> [UInt8] {
        let words = [program, "--size", "512x512>", "--output", "\(folder)/vips.jpg[Q=85]", path]
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, program, nil, nil, arguments, environ)
        guard code == 0 else { throw SystemError("posix_spawn", path: program, code: code) }
        var status = CInt(0)
        while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
        return try Folder(opening: folder).read("vips.jpg") ?? []
    }
}
