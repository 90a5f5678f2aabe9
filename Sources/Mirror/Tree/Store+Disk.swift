internal import Glibc
package import Platform
internal import Transfer

/// What the disk of the mirror can take: how much space is free for new files, and whether it stores what is written.
///
/// The setting `--min-free` keeps some bytes of the disk free. If there is no more space beyond these, the disk counts as full.
extension Store {
    /// The free bytes beyond ``minimumFree`` that no running download has reserved.
    package func availableBytes() throws(SystemError) -> Int { try space.available() }

    /// The bytes (64 KiB) that records and state files may need: if fewer are available, the disk counts as full.
    package static let spaceForRecords = 64 << 10

    /// The bytes (8 MiB) that nearly every picture needs less of: a quota that has no room for so many counts as used up.
    ///
    /// Nobody can ask how much of a quota is left.
    package static let spaceForPicture = 8 << 20

    /// Checks that `bytes` can be written without using the space that ``minimumFree`` keeps.
    ///
    /// - Throws: ``SystemError``: with `ENOSPC` and `path`, by default the root, if there is too little space.
    package func checkFreeSpace(
        for bytes: Int = Self.spaceForRecords, at path: String? = nil
    ) throws(SystemError) {
        guard try availableBytes() >= bytes else {
            throw SystemError("write", path: path ?? tree.root.path, code: ENOSPC)
        }
    }

    /// Checks that a file of `bytes` can be published; even for an empty file, one byte must be free.
    @Sendable package func checkFreeSpace(forFileOf bytes: Int) throws(SystemError) {
        try checkFreeSpace(for: bytes + 1)
    }

    // MARK: Trying what the disk does

    /// Writes a file and deletes it again, to find out whether the disk takes one of so many `bytes`.
    func testWrite(_ bytes: Int) throws(SystemError) {
        try Self.testWrite(bytes, in: incoming, prefix: "probe")
    }

    /// Writes a file of `bytes` to `folder` and deletes it again; its name begins with `prefix`.
    package static func testWrite(
        _ bytes: Int, in folder: Directory, prefix: String
    ) throws(SystemError) {
        // The file is never published, and so deleted when it goes out of scope.
        let file = try AtomicFile(prefix, in: folder)
        let block = [UInt8](repeating: 0, count: spaceForRecords)
        for _ in 0..<max(1, bytes / block.count) { try file.write(block) }
    }

    /// Whether the disk stores the modification times that the mirror gives to files; the first call tries it.
    package func keepsTimes() throws(SystemError) -> Bool {
        try knownToKeepTimes.withLock { known throws(SystemError) in
            if let known { return known }
            let isSupported = try incoming.supports(.modificationTime, prefix: "trial")
            known = isSupported
            return isSupported
        }
    }
}
