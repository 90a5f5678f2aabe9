internal import Glibc

/// A moment by a clock that nobody sets, and that stands still while the machine sleeps.
///
/// Moments of one boot can be compared, by several processes too. Where it is not known which boot it is,
/// each process has its own: a period that began in an earlier one begins again.
package struct Uptime: Hashable, Sendable {
    package let boot: String
    package let milliseconds: Int

    package init(boot: String, milliseconds: Int) {
        self.boot = boot
        self.milliseconds = milliseconds
    }

    package static var now: Uptime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Uptime(
            boot: currentBoot, milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    /// The seconds from `earlier` to this moment, `nil` where the two cannot be compared.
    package func seconds(since earlier: Uptime) -> Double? {
        guard boot == earlier.boot, milliseconds >= earlier.milliseconds else { return nil }
        return Double(milliseconds - earlier.milliseconds) / 1000
    }

    private static let currentBoot: String = {
        let file = try? FileDescriptor(opening: "/proc/sys/kernel/random/boot_id", O_RDONLY)
        let bytes = try? file?.readToEnd(limit: 100, path: "boot_id")
        let text = bytes.map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) } ?? ""
        return text.isEmpty ? "process \(UInt64.random(in: 0...UInt64.max))" : text
    }()
}
