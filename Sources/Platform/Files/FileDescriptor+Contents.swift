internal import CLinux
internal import Glibc

extension FileDescriptor {
    /// The first bytes of the file, at most `limit`.
    package func readStart(limit: Int, path: String) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let read = try retryingInterrupts("read", path: path) {
                unsafe bytes.withUnsafeMutableBytes {
                    unsafe pread(
                        rawValue, $0.baseAddress?.advanced(by: count), limit - count, count)
                }
            }
            guard read > 0 else { break }
            count += read
        }
        return Array(bytes[..<count])
    }

    /// The SHA-256 of the whole file, read piece by piece; see sha256sum(1).
    package func sha256(path: String) throws(SystemError) -> String {
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        while true {
            let count = try retryingInterrupts("read", path: path) {
                unsafe pread(rawValue, &buffer, buffer.count, offset)
            }
            guard count > 0 else { return hash.hexDigest() }
            unsafe buffer.withUnsafeBytes { unsafe hash.update(.init(rebasing: $0[..<count])) }
            offset += count
        }
    }

    /// Makes this empty file one with the bytes of `source`.
    ///
    /// They share their blocks where the file system can do that, see ioctl_ficlone(2).
    ///
    /// - Returns: `false` where it cannot; nothing was written then.
    package func share(with source: borrowing FileDescriptor) -> Bool {
        clinux_clone(source.rawValue, rawValue) == 0
    }

    /// Writes all bytes of `source` at the current position.
    package func copy(from source: borrowing FileDescriptor, path: String) throws(SystemError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        while true {
            let count = try retryingInterrupts("read", path: path) {
                unsafe pread(source.rawValue, &buffer, buffer.count, offset)
            }
            guard count > 0 else { return }
            try write(Array(buffer[..<count]), path: path)
            offset += count
        }
    }
}
