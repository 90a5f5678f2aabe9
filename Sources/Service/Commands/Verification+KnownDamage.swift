internal import APOD
internal import Maintenance
internal import Platform

extension Verification {
    /// The most files that ``failures(ofVerifying:)`` names.
    private static let maximumFailures = 10

    /// Verifies and repairs `days` with known damage again, which a sync or an import may have repaired.
    ///
    /// - Returns: What could not be read, repaired or recorded.
    func failures(ofVerifying days: Set<Day>) -> [WriteFailure] {
        var found: [WriteFailure] = []
        // Why the record of damage could not be read or, after a verification, written.
        var recordError = readError
        do {
            if !days.isEmpty, !Task.isCancelled {
                let outcome = try verify(days)
                let reasons = outcome.failures.sorted { $0.key < $1.key }
                    .map { path, reason in "cannot repair \(path): \(reason)" }
                    .limited(to: Self.maximumFailures) { rest in
                        "cannot repair \(counted(rest, "more file"))"
                    }
                found = reasons.map { WriteFailure(text: $0, error: nil) }
                recordError = outcome.savingError
            }
        } catch {
            if !Task.isCancelled { found.append(Self.failure(error)) }
        }
        if let recordError { found.append(Self.failure(recordError)) }
        return found
    }

    private static func failure(_ error: any Error) -> WriteFailure {
        let systemError = error as? SystemError
        let reason = systemError?.advice ?? "\(error)"
        return WriteFailure(text: "cannot verify damaged days: \(reason)", error: systemError)
    }
}
