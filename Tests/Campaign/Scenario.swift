import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator

/// An initial state, and the command that meets the fault.
enum Scenario: String, CaseIterable {
    case firstSync = "first-sync"
    case edits, videos, thumbnails
    case favoriteAdded = "favorite-added"
    case favoriteRemoved = "favorite-removed"
    case daemon
    case repair, adoption, retention

    /// Four days with a video, one after another, so that the order of calls is nearly reproducible.
    var options: [String] {
        let thumbnails = self == .thumbnails || self == .daemon ? "yes" : "no"
        let hasVideos = [.edits, .videos, .repair, .retention].contains(self)
        let days =
            switch self {
            case .repair: "6d"
            case .adoption: "3d"
            default: "4d"
            }
        return ["--since", days, "--jobs", "1", "--thumbnails", thumbnails]
            + (hasVideos ? ["--videos"] : []) + (self == .retention ? ["--keep", "2d"] : [])
            + (self == .edits || self == .retention ? ["--sidecars"] : [])
    }

    /// The command that meets the fault, unless it syncs.
    private func command(_ rig: Rig) -> [String]? {
        switch self {
        case .favoriteAdded: ["favorites", "add", "\(Self.day(1))", "\(Self.day(3))"]
        case .favoriteRemoved: ["favorites", "remove", "\(Self.day(1))"]
        case .repair: ["verify", "--repair", "-q"] + rig.site.upstream
        case .adoption:
            ["adopt", "\(rig.site.folder)/\(Self.source)", "--jobs", "1"] + rig.site.upstream
        default: nil
        }
    }

    /// Runs the command that meets the fault.
    func play(_ rig: Rig, at root: String, _ environment: [String: String]) async throws -> Ending {
        if let command = command(rig) {
            return try await rig.runOffline(command, root, environment)
        }
        guard self == .daemon else {
            return try await rig.run(["run", "--once", "-q"], root, options, environment)
        }
        let daemon = try rig.start(["run"], root, options, environment)
        // A fault may prevent both.
        for text in ["added to favorites", "downloaded "] {
            _ = await daemon.errors.includes(text, within: .seconds(2))
        }
        daemon.signal(SIGTERM)
        return try await daemon.end()
    }

    /// Repeats the command, unless it syncs, and then syncs.
    func repeatCleanly(_ rig: Rig, at root: String) async throws -> Ending {
        if command(rig) != nil {
            let ending = try await play(rig, at: root, [:])
            if ending.code != 0, !isFavoritesCommand { return ending }
        }
        return try await rig.run(["run", "--once", "-q"], root, options)
    }

    /// The state reported before the command, except what the command removes.
    func acknowledged(before: TreeImage, whole: TreeImage) -> Oracle.Acknowledged {
        // Retention removes no favorite.
        let kept = self == .retention ? whole.complete.union(before.favorites) : before.complete
        return Oracle.Acknowledged(
            days: before.complete.intersection(kept),
            favorites: before.favorites.intersection(whole.favorites),
            possibleFavorites: before.favorites.union(whole.favorites), tree: before)
    }

    /// Whether exit code 0 means that the work is complete.
    var isCommand: Bool { self != .daemon }

    /// Whether a repeated command may be rejected because it has been executed.
    private var isFavoritesCommand: Bool { self == .favoriteAdded || self == .favoriteRemoved }
}
