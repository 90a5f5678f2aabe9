internal import APOD
internal import Mirror

/// The pictures that no thumbnail can be made of: a pure value that becomes `thumbnails.json`.
///
/// A later program may be able to: it forgets what an earlier one refused.
struct RefusedPictures: Hashable, Sendable {
    struct Refusal: Hashable, Sendable {
        /// Of the picture: another one of the same day is tried.
        let sha256: String
        let reason: String
    }

    /// One more with every change that may make something of a picture that was refused before.
    private static let version = 1

    private(set) var refusals: [Day: Refusal] = [:]

    init() {}

    mutating func refuse(_ day: Day, _ sha256: String, reason: String) {
        refusals[day] = Refusal(sha256: sha256, reason: reason)
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
            refuse(day, sha256, reason: refusal["reason"]?.string ?? "")
        }
    }

    var json: JSON {
        let refused = refusals.sorted { $0.key > $1.key }.map { day, refusal -> JSON in
            [
                "date": .string("\(day)"), "sha256": .string(refusal.sha256),
                "reason": .string(refusal.reason),
            ]
        }
        return ["version": .integer(Self.version), "refused": .array(refused)]
    }
}
