import CLinux
import Glibc

/// The bytes of an open file, which the kernel reads as they are looked at.
///
/// A large one is never in memory as a whole: what was read leaves again.
@safe struct MappedFile: ~Copyable {
    let bytes: UnsafeBufferPointer<UInt8>

    /// `nil` where there is no room for it; `errno` tells.
    init?(_ file: CInt) {
        let count = lseek(file, 0, SEEK_END)
        guard count > 0 else {
            guard count == 0 else { return nil }
            unsafe bytes = UnsafeBufferPointer(start: nil, count: 0)
            return
        }
        let start = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
        unsafe bytes = UnsafeBufferPointer(
            start: UnsafePointer(start.assumingMemoryBound(to: UInt8.self)), count: count)
        if count >= Self.large { unsafe clinux_forget_what_was_read(start, count) }
    }

    /// In bytes.
    private static let large = 8 << 20

    deinit {
        if let start = unsafe bytes.baseAddress {
            if unsafe bytes.count >= Self.large { clinux_forget_what_was_read(nil, 0) }
            unsafe munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
        }
    }
}
