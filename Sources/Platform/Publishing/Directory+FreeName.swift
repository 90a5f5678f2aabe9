internal import Glibc

/// Moves a file, a link or a folder to another directory without overwriting anything there.
extension Directory {
    /// Moves the item `name` into the directory `other` under the first free name, and flushes both directories.
    ///
    /// `numbered` makes the names that are tried, from `name` and the numbers from 1 on.
    ///
    /// - Returns: The new name.
    /// - Throws: ``SystemError``; `EEXIST` if a thousand names are taken.
    @discardableResult
    package func moveToFreeName(
        _ name: [UInt8], in other: Directory,
        numbered: ([UInt8], Int) -> [UInt8] = Directory.name(_:withNumber:)
    ) throws(SystemError) -> [UInt8] {
        // If a failing disk cannot write the contents, the item is moved nevertheless.
        try? flush(name)
        for number in 1...Self.maximumNumber {
            let newName = numbered(name, number)
            do {
                try renameDurably(name, to: other, as: newName)
                return newName
            } catch  where error.code == EEXIST {
                // The next number may be free.
            }
        }
        throw SystemError("rename", path: other.pathOf(name), code: EEXIST)
    }

    private static let maximumNumber = 1_000

    /// `x` for the number 1, `x 2` for the number 2, and so on.
    package static func name(_ name: [UInt8], withNumber number: Int) -> [UInt8] {
        guard number > 1 else { return name }
        // The name of a file has at most 255 bytes. A blank and the largest number take five of them.
        return name.prefix(250) + Array(" \(number)".utf8)
    }
}
