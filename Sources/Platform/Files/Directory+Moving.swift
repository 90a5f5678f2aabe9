internal import CLinux
internal import Glibc

/// What moves names that somebody else chose from directory to directory: any bytes but a slash and a zero.
extension Directory {
    /// Gives `name` here and in `other` what the other had, in one step.
    ///
    /// - Throws: ``SystemError``; `ENOENT` where one of them is missing, `EINVAL` where the file system
    ///   cannot do it.
    package func exchange(bytes name: [UInt8], with other: Directory) throws(SystemError) {
        try unsafe move(name, to: other, as: name, "exchange") {
            unsafe clinux_exchange($0, $1, $2, $3)
        }
    }

    /// Renames `name` into `other`, replacing what has that name there.
    package func rename(bytes name: [UInt8], to other: Directory) throws(SystemError) {
        try unsafe move(name, to: other, as: name, "rename") { unsafe renameat($0, $1, $2, $3) }
    }

    /// Renames `name` into `other`; fails with `EEXIST` rather than replace.
    package func renameExclusive(
        bytes name: [UInt8], to other: Directory, as newName: [UInt8]? = nil
    ) throws(SystemError) {
        let newName = newName ?? name
        do {
            try unsafe move(name, to: other, as: newName, "rename") {
                unsafe clinux_rename_noreplace($0, $1, $2, $3)
            }
        } catch  where error.code == EINVAL {
            // Not every file system can, see renameat2(2); it has two names for a moment then.
            try unsafe move(name, to: other, as: newName, "link") {
                unsafe linkat($0, $1, $2, $3, 0)
            }
            try remove(bytes: name)
        }
    }

    private func move(
        _ name: [UInt8], to other: Directory, as newName: [UInt8], _ call: String,
        _ body: (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>) -> CInt
    ) throws(SystemError) {
        let path = "\(other.path)/\(String(decoding: newName, as: UTF8.self))"
        let old = name.map { CChar(bitPattern: $0) } + [0]
        let new = newName.map { CChar(bitPattern: $0) } + [0]
        try retryingInterrupts(call, path: path) {
            unsafe body(rawDescriptor, old, other.rawDescriptor, new)
        }
    }
}
