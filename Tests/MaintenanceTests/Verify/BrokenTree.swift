import APOD
import Mirror
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Maintenance

extension MirrorUnderTest {
    /// The findings of a verification of the tree.
    func findings(
        _ scope: VerifyScope = .all, isQuick: Bool = false
    ) throws -> [VerifyFinding] {
        let verifier = try TreeVerifier(tree, TreeSnapshot(of: tree.root), isQuick: isQuick)
        let findings = try verifier.days(in: scope).flatMap { try verifier.findings(of: $0) }
        return scope == .all ? findings + verifier.findings(of: verifier.unreadablePaths) : findings
    }

    /// Makes a pin of the day that is `age` days old, with `contents`; returns its path.
    func makePin(_ age: Int = 1, with contents: [UInt8]) throws -> String {
        let pin = "\(Layout.favoriteStore)/\(Self.newest.advanced(by: -age)).jpg"
        try write("", to: pin)
        try rot(pin) { $0 = contents }
        return pin
    }
}

/// Breaks a mirror of ten days, and expects one finding at `path`.
func expectFinding(
    _ kind: VerifyFinding.Kind, isQuick: Bool = false,
    _ breaking: (MirrorUnderTest) throws -> String,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    try await withSyncedMirror { mirror in
        let path = try breaking(mirror)
        let findings = try mirror.findings(isQuick: isQuick)
        #expect(
            findings.map(\.path) == [path] && findings.map(\.kind) == [kind],
            "\(findings)", sourceLocation: sourceLocation)
    }
}
