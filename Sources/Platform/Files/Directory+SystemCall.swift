internal import Glibc

/// Makes system calls with names in a directory, so that no call follows a link in a path.
///
/// For the path `a/b/c`, a call gets the name `c` and the descriptor of `a/b`, which was opened without following links.
extension Directory {
    /// Makes a system call with the last name of `path`; fails with `EINVAL` if `path` does not end with a name.
    @discardableResult
    func systemCall<Result: SignedInteger>(
        _ call: String, _ path: some PathBytes,
        _ body: (_ directory: CInt, _ name: UnsafePointer<CChar>) -> Result
    ) throws(SystemError) -> Result {
        let (parent, name) = try split(path.pathBytes, for: call)
        return try retryingInterrupts(call, path: pathOf(path)) {
            unsafe name.withCString { unsafe body(parent.descriptor.rawValue, $0) }
        }
    }

    /// Makes a system call such as renameat(2): `body` gets the directory and the last name of `path`, and then of `newPath`.
    ///
    /// Errors name the second path.
    func systemCall(
        _ call: String, _ path: some PathBytes, to other: Directory, as newPath: some PathBytes,
        _ body: (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>) -> CInt
    ) throws(SystemError) {
        let (parent, name) = try split(path.pathBytes, for: call)
        try unsafe other.systemCall(call, newPath) { newDirectory, newName in
            unsafe name.withCString {
                unsafe body(parent.descriptor.rawValue, $0, newDirectory, newName)
            }
        }
    }

    /// Opens the directory that contains the file at `path`, and returns it with the name of the file.
    ///
    /// - Throws: ``SystemError``; `EINVAL` of `call` if `path` is like `/a`, or does not end with a name, as `a/` and `a/..`.
    func split(
        _ path: [UInt8], for call: String
    ) throws(SystemError) -> (parent: Directory, name: [UInt8]) {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { Array(path[($0 + 1)...]) } ?? path
        let hasName = !name.isEmpty && name != Array(".".utf8) && name != Array("..".utf8)
        guard hasName, !path.contains(0), slash != path.startIndex else {
            throw SystemError(call, path: pathOf(path), code: EINVAL)
        }
        return (try parent(of: path), name)
    }

    /// Opens the directory that contains the file at `path`; if the path has no slash, that is this directory.
    func parent(of path: some PathBytes) throws(SystemError) -> Directory {
        let path = path.pathBytes
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return try openDirectory(Array(path[..<slash]))
    }

    /// The path of the file `name` for errors; bytes that are not UTF-8 are replaced.
    func pathOf(_ name: some PathBytes) -> String {
        let name = String(decoding: name.pathBytes, as: UTF8.self)
        return name == "." ? path : "\(path == "/" ? "" : path)/\(name)"
    }
}
