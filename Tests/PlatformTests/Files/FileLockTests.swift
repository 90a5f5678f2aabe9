import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FileLockTests {
    @Test func oneProcessHoldsTheLockAndOthersCanIdentifyIt() async throws {
        try await withDirectory { root in
            #expect(try FileLock.holder("lock", in: root) == nil)
            do {
                let lock = try FileLock.acquire("lock", in: root)
                let isTaken = lock != nil
                #expect(isTaken)
                let other = try FileLock.acquire("lock", in: root)
                let isFree = other != nil
                #expect(!isFree)
                #expect(try FileLock.holder("lock", in: root) == getpid())
                _ = consume lock
            }
            #expect(try FileLock.holder("lock", in: root) == nil)
        }
    }

    /// As while another thread starts a child process: the child has a copy of each descriptor until it is executed.
    @Test func aCopyOfTheDescriptorDoesNotHoldTheLock() async throws {
        try await withDirectory { root in
            var copy: CInt = -1
            do {
                let lock = try FileLock.acquire("lock", in: root)
                let identity = try root.status("lock")?.identity
                for descriptor in CInt(3)..<1024 {
                    var status = stat()
                    guard unsafe fstat(descriptor, &status) == 0 else { continue }
                    let found = FileIdentity(device: status.st_dev, inode: status.st_ino)
                    if found == identity { copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
                    if copy >= 0 { break }
                }
                _ = consume lock
            }
            #expect(copy >= 0)
            let again = try FileLock.acquire("lock", in: root)
            let isFree = again != nil
            #expect(isFree)
            close(copy)
            #expect(try FileLock.holder("lock", in: root) == getpid())
            _ = consume again
        }
    }
}
