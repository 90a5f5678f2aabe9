internal import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror

/// The pictures that have no thumbnail, because none can be made or because making it failed: a pure value
/// that becomes `thumbnails.json`.
///
/// A later program may be able to: it forgets what an earlier one refused.
struct RejectedPictures: Hashable, Sendable {
    struct Refusal: Hashable, Sendable {
        /// Of the picture: another one of the same day is tried.
        let sha256: String
        let reason: String
        /// When it is tried again, `nil` where nothing can ever be made of it.
        let retry: Retry?
    }

    /// What failed, and may succeed another time.
    struct Retry: Hashable, Sendable {
        let attempts: Int
        let lastAttempt: Date

        /// Grows from a minute to a day.
        private var delay: TimeInterval { Double(min(60 << (2 * min(attempts - 1, 10)), 86_400)) }

        /// Never later than the delay from `now`: the clock may have been ahead at the attempt.
        func due(at now: Date) -> Date {
            lastAttempt > now ? now : lastAttempt.addingTimeInterval(delay)
        }
    }

    /// One more with every change that may make something of a picture that was refused before.
    private static let version = 2

    private(set) var refusals: [Day: Refusal] = [:]

    init() {}

    mutating func refuse(_ day: Day, _ sha256: String, reason: String) {
        refusals[day] = Refusal(sha256: sha256, reason: reason, retry: nil)
    }

    /// Notes that making the thumbnail failed at `now`.
    mutating func postpone(_ day: Day, _ sha256: String, reason: String, at now: Date) {
        let earlier = refusals[day].flatMap { $0.sha256 == sha256 ? $0.retry : nil }
        let retry = Retry(attempts: min((earlier?.attempts ?? 0) + 1, 1000), lastAttempt: now)
        refusals[day] = Refusal(sha256: sha256, reason: reason, retry: retry)
    }

    mutating func forget(_ day: Day) {
        refusals[day] = nil
    }

    init(_ json: JSON) {
        guard json["version"]?.integer == Self.version, case .array(let refused)? = json["refused"]
        else { return }
        for refusal in refused {
            guard let day = refusal["date"]?.string.flatMap({ Day(iso: $0) }),
                let sha256 = refusal["sha256"]?.string
            else { continue }
            refusals[day] = Refusal(
                sha256: sha256, reason: refusal["reason"]?.string ?? "",
                retry: Retry(refusal))
        }
    }

    var json: JSON {
        let refused = refusals.sorted { $0.key > $1.key }.map { day, refusal -> JSON in
            guard let retry = refusal.retry else {
                return [
                    "date": .string("\(day)"), "sha256": .string(refusal.sha256),
                    "reason": .string(refusal.reason),
                ]
            }
            return [
                "date": .string("\(day)"), "sha256": .string(refusal.sha256),
                "reason": .string(refusal.reason), "attempts": .integer(retry.attempts),
                "last_attempt": .string(retry.lastAttempt.timestamp),
            ]
        }
        return ["version": .integer(Self.version), "refused": .array(refused)]
    }
}

extension RejectedPictures.Retry {
    fileprivate init?(_ json: JSON) {
        guard let attempts = json["attempts"]?.integer,
            let lastAttempt = json["last_attempt"]?.string.flatMap({ Date(timestamp: $0) })
        else { return nil }
        self.init(attempts: min(max(attempts, 1), 1000), lastAttempt: lastAttempt)
    }
}
