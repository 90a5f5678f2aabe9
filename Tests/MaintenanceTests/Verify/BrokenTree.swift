import Maintenance
import Mirror
import MirrorTesting
import Simulator
import Testing

extension MirrorUnderTest {
    /// The findings of a verification of the tree.
    func findings(
        _ scope: VerifyScope = .all, isQuick: Bool = false,
        expecting expectations: VerifyExpectations = VerifyExpectations()
    ) throws -> [VerifyFinding] {
        try TreeVerifier(
            tree, TreeSnapshot(of: tree.root), expecting: expectations, isQuick: isQuick
        ).findings(in: scope)
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
