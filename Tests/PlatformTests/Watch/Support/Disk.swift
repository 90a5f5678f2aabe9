import Glibc
import Platform
import TestSupport

/// A path of any bytes.
struct Path: Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(stringLiteral text: String) { bytes = Array(text.utf8) }

    var description: String { String(decoding: bytes, as: UTF8.self) }

    static func / (folder: Path, name: Path) -> Path { Path(folder.bytes + [0x2F] + name.bytes) }
}

/// A directory with `favorites` and `outside`, and the operations of users.
struct Disk: Sendable {
    let path: String

    /// A watch of `favorites`.
    func watch() throws -> DirectoryWatcher {
        DirectoryWatcher(of: "favorites", in: try Directory(opening: path))
    }

    /// Each returns whether it succeeded.
    @discardableResult func makeDirectory(_ path: Path) -> Bool {
        call(path) { unsafe mkdir($0, 0o755) }
    }
    @discardableResult func removeFolder(_ path: Path) -> Bool { call(path) { unsafe rmdir($0) } }
    @discardableResult func unlink(_ path: Path) -> Bool { call(path) { unsafe Glibc.unlink($0) } }

    @discardableResult func link(_ path: Path, to target: Path = "/a/target") -> Bool {
        call(path) { path in
            withText(target.bytes) { target in unsafe symlink(target, path) }
        }
    }

    @discardableResult func rename(_ old: Path, _ new: Path) -> Bool {
        call(old) { old in
            withText(full(new)) { new in unsafe Glibc.rename(old, new) }
        }
    }

    /// Writes a file in place, like cp(1).
    @discardableResult func write(_ path: Path, _ text: String = "text") -> Bool {
        call(path) { path in
            let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            defer { close(file) }
            return unsafe Glibc.write(file, text, text.utf8.count) == text.utf8.count ? 0 : -1
        }
    }

    @discardableResult func setMode(_ path: Path, _ mode: UInt32) -> Bool {
        call(path) { unsafe chmod($0, mode) }
    }

    /// Replaces a link as `ln -sfn` does: creates another name, then renames it.
    @discardableResult func replaceLink(_ path: Path, to target: Path) -> Bool {
        let other = Path(path.bytes + Array(".new".utf8))
        return link(other, to: target) && rename(other, path)
    }

    @safe private func call(_ path: Path, _ body: (UnsafePointer<CChar>) -> CInt) -> Bool {
        withText(full(path), body) == 0
    }

    private func full(_ path: Path) -> [UInt8] { Array(self.path.utf8) + [0x2F] + path.bytes }
}

/// Runs `body` with `bytes` as a C string.
@safe func withText<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe text.withUnsafeBufferPointer { text in
        guard let start = text.baseAddress else {
            preconditionFailure("an array with a zero in it")
        }
        return unsafe body(start)
    }
}

/// Runs `body` with a new disk.
nonisolated(nonsending) func withDisk<Result>(
    inMemory: Bool = false, _ body: nonisolated(nonsending) (Disk) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder(inMemory: inMemory) { path in
        let disk = Disk(path: path)
        disk.makeDirectory("favorites")
        disk.makeDirectory("outside")
        // rm(1) removes paths longer than the kernel accepts, and names of any bytes.
        defer {
            _ = unsafe system("chmod -R u+rwx \(path); rm -rf \(path)/favorites \(path)/outside")
        }
        return try await body(disk)
    }
}
