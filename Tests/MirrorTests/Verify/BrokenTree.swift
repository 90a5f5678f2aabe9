import APOD
import Glibc
import Platform
import Simulator
import Testing

@testable import Mirror

extension MirrorUnderTest {
    /// The findings of a verification of the tree.
    func findings(
        _ scope: VerifyScope = .all, isQuick: Bool = false,
        expecting expectations: VerifyExpectations = VerifyExpectations(
            owned: [.latestRecord, .latestPicture])
    ) throws -> [VerifyFinding] {
        try TreeVerifier(
            tree, TreeSnapshot(of: tree.root), expecting: expectations, isQuick: isQuick
        ).findings(in: scope)
    }

    /// The record of the day that is `age` days old.
    func record(_ age: Int = 1) throws -> DayRecord {
        let day = Self.newest.advanced(by: -age)
        guard let record = try store.record(of: day) else { throw NoRecord(day: day) }
        return record
    }

    struct NoRecord: Error { let day: Day }

    /// The path of the picture of the day that is `age` days old.
    func picture(_ age: Int = 1) throws -> String { try record(age).picture?.path ?? "" }

    func recordPath(_ age: Int = 1) -> String {
        Layout.recordPath(of: Self.newest.advanced(by: -age))
    }

    /// The absolute path of a file of the tree.
    func absolute(_ path: String) -> String { "\(tree.root.path)/\(path)" }

    /// Changes the bytes of a file and keeps its modification time, as a failing disk does.
    func rot(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try tree.root.read(path) ?? []
        let time = try tree.root.status(path)?.modified ?? 0
        change(&bytes)
        let file = try tree.root.openFile(path, O_WRONLY | O_TRUNC)
        try file.write(bytes, path: path)
        try file.setModified(time, path: path)
    }

    func flipBit(_ path: String) throws { try rot(path) { $0[$0.count / 2] ^= 1 } }

    /// Creates a file with `text`, and its directory.
    func write(_ text: String, to path: String) throws {
        let (folder, name) = Layout.split(path)
        let file = try tree.root.makeDirectory(folder).open(name, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(text.utf8), path: path)
    }

    func remove(_ path: String) throws { try tree.root.remove(path) }

    func move(_ path: String, to other: String) throws {
        guard unsafe rename(absolute(path), absolute(other)) == 0 else {
            throw SystemError("rename", path: path, code: errno)
        }
    }
}

/// Breaks a mirror of ten days, and expects one finding at `path`.
func expectFinding(
    _ kind: VerifyFinding.Kind, extras: Archive.Extras = [],
    _ breaking: (MirrorUnderTest) throws -> String,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    try await withMirror(extras: extras) { mirror in
        await mirror.sync()
        let path = try breaking(mirror)
        let findings = try mirror.findings()
        #expect(
            findings.map(\.path) == [path] && findings.map(\.kind) == [kind],
            "\(findings)", sourceLocation: sourceLocation)
    }
}
