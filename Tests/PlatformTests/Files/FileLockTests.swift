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
}
