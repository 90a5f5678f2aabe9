internal import Mirror

/// What keeps a look at NASA from being whole, whatever the details are.
enum OutageKind: Hashable, Sendable {
    case unreachable, unusable, noSpace, failed

    /// What stands in the way, and how to say it.
    static func of(_ obstacle: SyncSummary.Obstacle) -> (kind: OutageKind, text: String) {
        switch obstacle {
        case .unreachable(let text): (.unreachable, text)
        case .unusable(let text): (.unusable, text)
        case .noSpace(let text): (.noSpace, text)
        case .readOnly(let text), .failed(let text): (.failed, text)
        }
    }

    /// That it is over.
    func end(after time: Duration) -> String {
        let minutes = Int(time / .seconds(60))
        let span = minutes < 120 ? "\(max(minutes, 1)) min" : "\(minutes / 60) h"
        return switch self {
        case .unreachable: "NASA is within reach again after \(span)"
        case .unusable: "NASA's list can be read again after \(span)"
        case .noSpace: "there is room again after \(span)"
        case .failed: "the mirror can be written again after \(span)"
        }
    }
}
