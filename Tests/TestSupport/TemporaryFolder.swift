import Glibc
package import Platform

/// Something that a test began writes into its directory after the test.
private struct UnendedWork: Error {
    let path: String
    let names: [String]
}

/// Runs `body` with its own directory, which is removed afterwards with all contents.
///
/// It throws if something still writes into the directory then, so that the test fails which did not wait for it.
///
/// `inMemory` creates it on a file system in memory, if there is one with enough space; that of a container may
/// have 64 MB.
nonisolated(nonsending) package func withTemporaryFolder<Result>(
    inMemory: Bool = false,
    _ body: nonisolated(nonsending) (_ path: String) async throws -> Result
) async throws -> Result {
    let memory = inMemory ? try? Directory(opening: "/dev/shm").freeBytes() : nil
    let standard = memory ?? 0 >= 512 << 20 ? "/dev/shm" : "/tmp"
    let parent = processEnvironment()[inMemory ? "TMPDIR_IN_MEMORY" : "TMPDIR"] ?? standard
    var template = Array("\(parent)/apod-mirror-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
        throw SystemError("mkdtemp", path: parent, code: errno)
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let result: Result
    do {
        result = try await body(path)
    } catch {
        removeTree(path)
        throw error
    }
    removeTree(path)
    guard !isDirectory(path) else {
        let names = try? Directory(opening: path).names()
        throw UnendedWork(
            path: path, names: (names ?? []).map { String(decoding: $0, as: UTF8.self) })
    }
    return result
}

/// Runs `body` with its own directory.
nonisolated(nonsending) package func withDirectory(
    _ body: nonisolated(nonsending) (Directory) async throws -> Void
) async throws {
    try await withTemporaryFolder { path in try await body(Directory(opening: path)) }
}

/// Removes `path` and all below it without following links.
package func removeTree(_ path: String) {
    if isDirectory(path), let folder = try? Directory(opening: path) {
        folder.removeContents()
        _ = unsafe rmdir(path)
    } else {
        _ = unsafe unlink(path)
    }
}

extension Directory {
    /// Removes all items below, with names of any bytes.
    fileprivate func removeContents() {
        for name in (try? names()) ?? [] {
            // A link is not followed.
            if let folder = try? folder(name) {
                folder.removeContents()
                try? removeDirectory(name)
            } else {
                try? remove(name)
            }
        }
    }
}

private func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
