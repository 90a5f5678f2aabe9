import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator

/// A situation, and the command that meets the fault in it.
enum Scenario: String, CaseIterable {
    case firstSync = "first-sync"
    case edits, videos, thumbnails
    case favoriteAdded = "favorite-added"
    case favoriteRemoved = "favorite-removed"
    case daemon

    /// Four days with a video, one after the other, so that the calls come in nearly the same order every time.
    private var options: [String] {
        let thumbnails = self == .thumbnails || self == .daemon ? "yes" : "no"
        let videos = self == .edits || self == .videos ? ["--videos"] : []
        return ["--since", "4d", "--jobs", "1", "--thumbnails", thumbnails] + videos
    }

    private static var favorite: Day { Site.today.advanced(by: -1) }
    private static var other: Day { Site.today.advanced(by: -3) }

    /// Brings about what the command finds in the mirror at `root`, once.
    func prepare(_ rig: Rig, at root: String) async throws {
        let site = rig.site
        try site.addVideo()
        switch self {
        case .firstSync, .videos: return
        case .edits:
            try await rig.sync(root, options)
            try site.editAll()
        case .thumbnails:
            try await rig.sync(root, options.map { $0 == "yes" ? "no" : $0 })
        case .favoriteAdded: try await rig.sync(root, options)
        case .favoriteRemoved:
            try await rig.sync(root, options)
            try await rig.succeed(["favorites", "add", "\(Self.favorite)", "\(Self.other)"], root)
        case .daemon:
            let newest = site.simulator.entry(of: Site.today)
            site.simulator.withdraw(Site.today)
            // One day is missing.
            _ = try await rig.run(["run", "--once", "-q"], root, options)
            try await rig.succeed(["favorites", "add", "\(Self.favorite)"], root)
            if let newest { site.simulator.publish(newest) }
            try await rig.makeLink(root, to: Self.other)
        }
    }

    /// Runs the command that meets the fault.
    func play(_ rig: Rig, at root: String, _ environment: [String: String]) async throws -> Ending {
        switch self {
        case .firstSync, .edits, .videos, .thumbnails:
            return try await rig.run(["run", "--once", "-q"], root, options, environment)
        case .favoriteAdded:
            return try await rig.look(
                ["favorites", "add", "\(Self.favorite)", "\(Self.other)"], root, environment)
        case .favoriteRemoved:
            return try await rig.look(
                ["favorites", "remove", "\(Self.favorite)"], root, environment)
        case .daemon:
            let daemon = try rig.start(["run"], root, options, environment)
            await daemon.wait(for: "added to favorites", "downloaded ")
            daemon.signal(SIGTERM)
            return try await daemon.end()
        }
    }

    /// Starts again as a user would: the command, if it is one of favorites, and a sync.
    func repeatCleanly(_ rig: Rig, at root: String) async throws -> Ending {
        if self == .favoriteAdded || self == .favoriteRemoved {
            _ = try await play(rig, at: root, [:])
        }
        return try await rig.run(["run", "--once", "-q"], root, options)
    }

    /// What was reported before the command begins, less what it removes.
    func acknowledged(before: TreeImage, whole: TreeImage) -> Oracle.Acknowledged {
        Oracle.Acknowledged(
            days: before.complete, favorites: before.favorites.intersection(whole.favorites),
            possibleFavorites: before.favorites.union(whole.favorites))
    }

    /// Whether exit code 0 means that all is done.
    var isCommand: Bool { self != .daemon }
}

extension Program {
    /// Returns once all of `texts` were written to standard error, the program ended, or 3 seconds passed.
    fileprivate func wait(for texts: String...) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [errors] in
                for text in texts { _ = try? await errors.wait(for: text) }
            }
            group.addTask { try? await Task.sleep(for: .seconds(3)) }
            await group.next()
            group.cancelAll()
        }
    }
}
