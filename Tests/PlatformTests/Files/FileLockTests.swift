import Glibc
import Platform
import TestSupport
import Testing

private let names = FileLock.Names(lock: "lock", notice: "notice")

@Suite(.timeLimit(.minutes(10))) struct FileLockTests {
    private func acquire(in root: Directory) throws -> FileLock? {
        try FileLock.acquire(names, in: root, as: .daemon)
    }

    @Test func oneProcessHoldsTheLockAndOthersCanIdentifyIt() async throws {
        try await withDirectory { root in
            #expect(try FileLock.holder(names, in: root) == nil)
            do {
                let lock = try acquire(in: root)
                let isTaken = lock != nil
                #expect(isTaken)
                let other = try acquire(in: root)
                let isFree = other != nil
                #expect(!isFree)
                let holder = FileLock.Holder(process: getpid(), role: .daemon)
                #expect(try FileLock.holder(names, in: root) == holder)
                _ = consume lock
            }
            #expect(try FileLock.holder(names, in: root) == nil)
        }
    }

    /// As while another thread starts a child process: the child has a copy of each descriptor until it is executed.
    @Test func aCopyOfTheDescriptorDoesNotHoldTheLock() async throws {
        try await withDirectory { root in
            var copy: CInt = -1
            do {
                let lock = try acquire(in: root)
                let identity = try root.status("lock")?.identity
                let descriptors = try Directory(opening: "/proc/self/fd").textNames()
                for descriptor in descriptors.compactMap({ CInt($0) }) {
                    var status = stat()
                    guard unsafe fstat(descriptor, &status) == 0 else { continue }
                    let found = FileIdentity(device: status.st_dev, inode: status.st_ino)
                    if found == identity { copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
                    if copy >= 0 { break }
                }
                _ = consume lock
            }
            #expect(copy >= 0)
            let again = try acquire(in: root)
            let isFree = again != nil
            #expect(isFree)
            close(copy)
            #expect(try FileLock.holder(names, in: root)?.process == getpid())
            _ = consume again
        }
    }

    /// Any user may lock a file that they may open, and keep it locked for ever.
    @Test func noOtherUserCanOpenTheLock() async throws {
        try await withDirectory { root in
            // As a copy that lost its mode.
            try AtomicFile.publish([], in: root, as: "lock", through: root)
            let lock = try acquire(in: root)

            var status = stat()
            #expect(unsafe lstat("\(root.path)/lock", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            _ = consume lock
        }
    }

    @Test func aLockOfTheReadableFileKeepsNobodyOut() async throws {
        try await withDirectory { root in
            _ = try acquire(in: root)
            let notice = try root.openFile("notice", O_RDONLY)
            #expect(flock(notice.rawValue, LOCK_EX | LOCK_NB) == 0)

            let lock = try acquire(in: root)
            let isFree = lock != nil
            #expect(isFree)
            #expect(try FileLock.holder(names, in: root)?.process == getpid())
            _ = consume lock
            _ = consume notice
        }
    }

    @Test func aNoticeThatALinkToTheLockReplacedIsMadeAgain() async throws {
        try await withDirectory { root in
            // As by a program that links files with equal contents.
            _ = try acquire(in: root)
            try root.remove("notice")
            try root.link("lock", to: root, as: "notice")

            let lock = try acquire(in: root)

            #expect(try root.status("notice")?.identity != root.status("lock")?.identity)
            #expect(try FileLock.holder(names, in: root)?.process == getpid())
            _ = consume lock
        }
    }

    /// As those in a backup that was written over the locked files: a person may be told to end the process.
    @Test(arguments: ["1", "2147483647", "0", "-1"])
    func theNumberOfAnotherProgramIsNotSaidToHoldTheLock(number: String) async throws {
        try await withDirectory { root in
            let lock = try acquire(in: root)
            let right = try FileLock.holder(names, in: root)
            let file = try root.openFile("lock", O_WRONLY | O_TRUNC)
            try file.write(Array("\(number) daemon\n".utf8), path: "lock")
            let wrong = try FileLock.holder(names, in: root)

            #expect(right?.knownProcess == getpid() && right?.text == "process \(getpid())")
            #expect(wrong?.role == .daemon && wrong?.knownProcess == nil && wrong?.text == nil)
            _ = consume lock
        }
    }

    @Test(.enabled(if: geteuid() == 0, "becomes another user"))
    func anotherUserSeesWhoHoldsTheLock() async {
        await #expect(processExitsWith: .success) {
            try await withDirectory { root in
                let lock = try FileLock.acquire(names, in: root, as: .command)
                precondition(unsafe chmod(root.path, 0o755) == 0)
                precondition(seteuid(65534) == 0)
                let holder = try FileLock.holder(names, in: root)
                precondition(seteuid(0) == 0)

                #expect(holder == FileLock.Holder(process: getpid(), role: .command))
                _ = consume lock
            }
        }
    }
}
