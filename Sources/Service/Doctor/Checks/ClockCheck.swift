internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// Checks that the clock is plausible.
///
/// It must not be before the newest entry, nor before this program was built.
struct ClockCheck {
    private let context: DoctorContext
    private let now: Date

    init(_ context: DoctorContext, now: Date) {
        self.context = context
        self.now = now
    }

    private static let name = "clock"
    private static let remedy = "set the clock: timedatectl set-ntp true"

    var result: CheckResult {
        let text = "the time is \(now.timestamp)"
        if let newest, now.timeIntervalSince1970 < Double(newest.number * 86_400) {
            return .problem(
                Self.name, "\(text), before the newest entry, \(newest)", Self.remedy)
        }
        if let built, now.timeIntervalSince1970 < built - 86_400 {
            let day = Date(timeIntervalSince1970: built).timestamp.prefix(10)
            return .problem(
                Self.name, "\(text), before this program was built, \(day)", Self.remedy)
        }
        return .ok(Self.name, text)
    }

    private var newest: Day? {
        guard let tree = context.tree else { return nil }
        if let newest = try? Store(reading: tree).state().newest { return newest }
        return (try? TreeIndex(of: tree)).flatMap {
            PlausibleDates.withoutClock.newest(of: $0.complete)
        }
    }

    /// The modification time of the program's file, which packages preserve.
    private var built: Double? {
        let file = try? FileDescriptor(opening: "/proc/self/exe", O_RDONLY)
        return (try? file?.status(path: "/proc/self/exe").modified).map(Double.init)
    }
}
