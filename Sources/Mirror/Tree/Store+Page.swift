internal import Glibc
package import Platform

extension Store {
    /// Makes the file at `path` hold `bytes`, written only where it does not yet.
    ///
    /// Whatever has the name, a link too, is replaced and never followed.
    ///
    /// - Parameters:
    ///   - bytes: All that the file is to hold.
    ///   - path: Relative to the root; its folder is made where missing.
    /// - Returns: Whether it had to be written; then it is on the disk.
    /// - Throws: ``SystemError``; `ENOSPC` where the disk counts as full. What stood there still stands.
    @discardableResult
    package func keep(_ bytes: [UInt8], at path: String) throws(SystemError) -> Bool {
        let (folderPath, name) = Layout.split(path)
        let folder = try tree.root.makeDirectory(folderPath)
        if let status = try folder.status(name), status.kind == .file, status.size == bytes.count,
            try folder.read(name) == bytes
        {
            return false
        }
        guard try room() > bytes.count else {
            throw SystemError("write", path: "\(tree.root.path)/\(path)", code: ENOSPC)
        }
        let draft = try draft("page \(name)")
        try draft.write(bytes)
        try draft.publish(in: folder, as: name)
        return true
    }
}
