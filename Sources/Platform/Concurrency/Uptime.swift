internal import Glibc

/// A time by a clock that nobody sets: how long the machine has run since its last boot, while it was not suspended.
///
/// It measures delays that must not end early because somebody sets the date, even across processes: two times of one boot are
/// comparable. See `CLOCK_MONOTONIC` in clock_gettime(2).
package struct Uptime: Hashable, Sendable {
    /// The ID of the boot; an ID of this process if the kernel's cannot be read.
    package let boot: String
    package let milliseconds: Int

    package init(boot: String, milliseconds: Int) {
        self.boot = boot
        self.milliseconds = milliseconds
    }

    package static var now: Uptime {
        Uptime(boot: currentBoot, milliseconds: Int(monotonicNanoseconds() / 1_000_000))
    }

    /// The seconds since `earlier`; `nil` if the machine was restarted in between.
    package func seconds(since earlier: Uptime) -> Double? {
        guard boot == earlier.boot, milliseconds >= earlier.milliseconds else { return nil }
        return Double(milliseconds - earlier.milliseconds) / 1000
    }

    private static let currentBoot: String = {
        let text = FileDescriptor.kernelFile("/proc/sys/kernel/random/boot_id")
        let boot = text.map { String($0.prefix { !$0.isWhitespace }) } ?? ""
        return boot.isEmpty ? "process \(UInt64.random(in: 0...UInt64.max))" : boot
    }()
}

/// The nanoseconds of `CLOCK_MONOTONIC`, which stops while the machine is suspended and is never set.
func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
