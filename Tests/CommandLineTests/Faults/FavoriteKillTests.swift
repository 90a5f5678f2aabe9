import APOD
import FavoritesModel
import Glibc
import Platform
import Testing

/// A kill at any time loses no favorite, and the next start lists them all.
@Suite(.timeLimit(.minutes(20))) struct FavoriteKillTests {
    /// Repeat with `APOD_MIRROR_SEED=… swift test`.
    private static let seed =
        processEnvironment()["APOD_MIRROR_SEED"].flatMap(UInt64.init) ?? .random(in: 0...99_999)

    /// Days that the simulator does not have.
    private static let days = Script.days.filter { $0.year < 2026 }

    private static func trial(at root: String) throws -> Trial {
        let trial = try Trial(root: root, days: days)
        try trial.handOver()
        return trial
    }

    @Test func everyFavoriteSurvivesStopsAndKills() async throws {
        try await withSite(days: 1) { site in
            let trial = try Self.trial(at: site.root)
            var user = RandomUser(seed: Self.seed, days: Self.days)
            var kills = 0
            for round in 1...6 {
                let program = try site.start(["run"] + site.settings())
                if user.number(below: 2) == 0 {
                    try await program.errors.wait(for: "mirroring ")
                }
                try await trial.burst(of: 200, by: &user)
                program.signal(user.number(below: 4) == 0 ? SIGTERM : SIGKILL)
                if try await program.end().signal == SIGKILL { kills += 1 }
                try await trial.burst(of: 4, by: &user)

                let before = trial.present
                #expect(try await site.mirror().signal == nil)
                trial.scanModel()
                try trial.copyUnobservedState()

                // A kill between two system calls leaves the hidden link of a repair. The next repair of the item removes
                // it, unless the user has renamed or deleted the item before.
                let lines = try trial.differences(isLoose: true)
                    .filter { !$0.contains("/.apod-mirror ") }
                #expect(lines == [], "round \(round), APOD_MIRROR_SEED=\(Self.seed)")
                #expect(try trial.recorded().isSuperset(of: before))
            }
            let operations = trial.counts.values.reduce(0, +)
            print("seed \(Self.seed): \(operations) operations, killed \(kills) times")
            #expect(kills > 0)
        }
    }

    /// The state before a run that is killed.
    enum Situation: CaseIterable {
        case newOnes, noFolder, lostPictures

        var operations: [Operation] {
            let days = FavoriteKillTests.days
            switch self {
            case .newOnes:
                return [
                    .makeDirectory("favorites/a"),
                    .make(.link(.foreign(days[0])), at: "favorites/a/x"),
                    .make(.file(.copy(days[1]), made: 1), at: "favorites/y"),
                ]
            case .noFolder: return [.remove("favorites")]
            case .lostPictures: return []
            }
        }
    }

    @Test(.enabled(if: FaultShim.isPossible), arguments: Situation.allCases)
    func aKillBeforeASystemCallLosesNothing(situation: Situation) async throws {
        try await withSite(days: 1, inMemory: true) { site in
            let shim = try await FaultShim(for: site)
            var number = 1 + Int(Self.seed % 12)
            while try await isKilled(at: number, in: situation, site, shim) { number += 12 }
            #expect(number > 13)
        }
    }

    /// One trial: a run that is killed, then a complete run.
    private func isKilled(
        at number: Int, in situation: Situation, _ site: Site, _ shim: FaultShim
    ) async throws -> Bool {
        let root = "\(site.folder)/trial\(number)"
        func sync(_ environment: [String: String] = [:]) async throws -> Ending {
            try await site.mirror("-q", root: root, environment: environment)
        }
        let trial = try Self.trial(at: root)
        for (day, name) in zip(Self.days.dropFirst(2), ["b", "c"]) {
            _ = try await trial.perform(.make(.link(.absolute(day)), at: "favorites/\(name)"))
        }
        #expect(try await sync().signal == nil)
        trial.scanModel()
        for operation in situation.operations { _ = try await trial.perform(operation) }
        if situation == .lostPictures {
            for day in Self.days.dropFirst(2).prefix(2) { trial.disk.losePicture(of: day) }
        }
        let killed = try await sync(shim.variables(.kill, at: number))

        let recorded = try trial.recorded()
        #expect(recorded.isSuperset(of: Self.days.dropFirst(2).prefix(2)), "at \(number)")
        #expect(try await sync().signal == nil)
        trial.scanModel()
        trial.scanModel()
        let lines = try trial.differences(isLoose: true)
        #expect(lines == [], "at \(number)")
        return killed.signal == SIGKILL
    }
}

extension Trial {
    /// Applies those of `count` operations that do not depend on scans.
    fileprivate func burst(of count: Int, by user: inout RandomUser) async throws {
        for _ in 0..<count {
            let operation = user.userOperation(in: world)
            if operation.isSteady(in: world) {
                _ = try await perform(operation)
            }
        }
    }

    /// The days with an item at the last scan.
    fileprivate var present: Set<Day> {
        Set(world.records.filter { !$0.value.isMissing }.keys)
    }
}
