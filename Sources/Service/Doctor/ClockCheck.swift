internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// Whether the clock can be right.
///
/// It cannot be before the newest entry that NASA was seen to have, nor before this program was built.
struct ClockCheck {
    private let patient: DoctorContext
    private let now: Date

    init(_ patient: DoctorContext, now: Date) {
        self.patient = patient
        self.now = now
    }

    private static let name = "clock"
    private static let remedy = "set it, or let it be set: timedatectl set-ntp true"

    var finding: CheckResult {
        let text = "it is \(now.timestamp)"
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
        guard let tree = patient.tree else { return nil }
        if let newest = try? Store(reading: tree).state().newest { return newest }
        return (try? TreeIndex(of: tree)).flatMap {
            PlausibleDates.withoutClock.newest(of: $0.complete)
        }
    }

    /// The modification time of the program's file: packages keep that of their making.
    private var built: Double? {
        let file = try? FileDescriptor(opening: "/proc/self/exe", O_RDONLY)
        return (try? file?.status(path: "/proc/self/exe").modified).map(Double.init)
    }
}
