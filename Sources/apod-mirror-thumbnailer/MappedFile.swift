import Glibc

/// A memory-mapped open file.
@safe struct MappedFile: ~Copyable {
    let bytes: UnsafeBufferPointer<UInt8>

    /// `nil` if it cannot be mapped; see `errno`.
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
    }

    deinit {
        if let start = unsafe bytes.baseAddress {
            unsafe munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
        }
    }
}
