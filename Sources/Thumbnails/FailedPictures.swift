internal import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
internal import Platform

/// The pictures of which no thumbnail can be made, and those whose thumbnail failed: a pure value.
struct FailedPictures: Hashable, Sendable {
    struct Failure: Hashable, Sendable {
        /// The SHA-256 of the picture: a replaced picture is tried again.
        let sha256: String
        let reason: String
        /// When the picture is retried; `nil` if no thumbnail can ever be made.
        let retry: Retry?
    }

    /// When a failure that may be temporary is retried.
    struct Retry: Hashable, Sendable {
        let attempts: Int
        let lastAttempt: Date

        private static let backoff = Backoff(
            first: .seconds(60), factor: 4, longest: .seconds(86_400))

        /// At most the delay from `now`: the clock may have been ahead before.
        func due(at now: Date) -> Date {
            let delay = Self.backoff.delay(after: attempts)
            return lastAttempt > now ? now : lastAttempt.addingTimeInterval(delay / .seconds(1))
        }
    }

    /// Incremented with a change that may accept rejected pictures: failures of other versions are discarded.
    private static let version = 2

    private(set) var failures: [Day: Failure] = [:]

    init() {}

    mutating func reject(_ day: Day, _ sha256: String, reason: String) {
        failures[day] = Failure(sha256: sha256, reason: reason, retry: nil)
    }

    /// Records a failed attempt at `now`.
    mutating func postpone(_ day: Day, _ sha256: String, reason: String, at now: Date) {
        let earlier = failures[day].flatMap { $0.sha256 == sha256 ? $0.retry : nil }
        let retry = Retry(attempts: min((earlier?.attempts ?? 0) + 1, 1000), lastAttempt: now)
        failures[day] = Failure(sha256: sha256, reason: reason, retry: retry)
    }

    mutating func forget(_ day: Day) { failures[day] = nil }

    init(_ json: JSON) {
        guard json["version"]?.integer == Self.version,
            case .array(let rejected)? = json["rejected"]
        else { return }
        for item in rejected {
            guard let day = item["date"]?.day, let sha256 = item["sha256"]?.string else { continue }
            failures[day] = Failure(
                sha256: sha256, reason: item["reason"]?.string ?? "", retry: Retry(item))
        }
    }

    var json: JSON {
        let rejected = failures.sorted { $0.key > $1.key }.map { day, failure -> JSON in
            [
                "date": .string("\(day)"), "sha256": .string(failure.sha256),
                "reason": .string(failure.reason),
                "attempts": failure.retry.map { .integer($0.attempts) },
                "last_attempt": failure.retry.map { .string($0.lastAttempt.timestamp) },
            ]
        }
        return ["version": .integer(Self.version), "rejected": .array(rejected)]
    }
}

extension FailedPictures.Retry {
    fileprivate init?(_ json: JSON) {
        guard let attempts = json["attempts"]?.integer, let lastAttempt = json["last_attempt"]?.date
        else { return nil }
        self.init(attempts: min(max(attempts, 1), 1000), lastAttempt: lastAttempt)
    }
}
