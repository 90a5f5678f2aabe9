import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import Service
import TestSupport

/// A mirror with empty files: enough for tests that only count days.
struct EmptyFileMirror {
    /// The time of the tests: noon UTC on 2026-11-20.
    static let now = Date(timeIntervalSince1970: 20_777 * 86_400 + 43_200)
    static let today = Day(iso: "2026-11-20") ?? .first

    let tree: Tree

    init(_ path: String) throws {
        tree = try Tree.writing(path, known: KnownMirrors(environment: [:]), as: .daemon)
    }

    /// Creates the files of days, by their age.
    func add(_ ages: ClosedRange<Int>) throws {
        for day in ages.map({ Self.today.advanced(by: -$0) }) {
            try touch("\(Layout.folder(Layout.pictures, of: day))/\(day) X.jpg")
            try touch(Layout.recordPath(of: day))
        }
    }

    private func touch(_ path: String) throws {
        let (above, name) = Layout.split(path)
        _ = try tree.root.makeDirectory(above).open(name, O_WRONLY | O_CREAT)
    }

    /// Saves a state with three wanted days.
    func saveState(_ change: (inout SyncState) -> Void) throws {
        var state = SyncState()
        state.since = .days(3)
        change(&state)
        try Store(tree: tree, minimumFree: 0).save(state)
    }

    func report(now: Date = EmptyFileMirror.now) throws -> StatusReport {
        try StatusReport(of: tree, now: now, built: .distantPast)
    }
}

/// Runs `body` with an empty mirror.
nonisolated(nonsending) func withEmptyMirror(
    _ body: nonisolated(nonsending) (EmptyFileMirror, Store) async throws -> Void
) async throws {
    try await withTemporaryFolder { path in
        let mirror = try EmptyFileMirror("\(path)/apod")
        try await body(mirror, Store(tree: mirror.tree, minimumFree: 0))
    }
}
