import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PathProbeTests {
    private func missing(_ paths: [String], beside own: String) -> [Bool] {
        PathProbe.missing(paths.map { Array($0.utf8) }, beside: own)
    }

    @Test func anExistingPathIsNotMissing() async throws {
        try await withTemporaryFolder { folder in
            unsafe mkdir("\(folder)/closed", 0o700)
            unsafe symlink("\(folder)/nonexistent", "\(folder)/link")
            unsafe symlink("loop", "\(folder)/loop")
            let paths = ["", "/closed", "/gone", "/gone/deeper/still", "/link", "/link/x", "/loop"]

            #expect(
                missing(paths.map { "\(folder)\($0)" } + ["/", "/gone/at/all"], beside: folder)
                    == [false, false, true, true, true, true, false, false, true])
        }
    }

    /// A path is missing everywhere else, and directly below a mount point.
    @Test func aMountPointOfItsOwnHidesNothing() {
        #expect(missing(["/dev/shm/nonexistent/x", "/proc/x"], beside: "/") == [true, true])
    }
}
