internal import APOD
internal import Maintenance
internal import Platform

extension Verification {
    /// The maximum number of files that ``verifyAgain(_:)`` names.
    private static let maximumFailures = 10

    /// Verifies and repairs `days` with known damage again, which a sync or an import may have repaired.
    ///
    /// - Returns: What could not be read, repaired or recorded.
    func verifyAgain(_ days: Set<Day>) -> [WriteFailure] {
        // Why the record of damage could not be read.
        let readError = readError
        guard !days.isEmpty, !Task.isCancelled else { return Self.failures(of: [readError]) }
        do {
            let outcome = try verify(days)
            return Self.failedRepairs(in: outcome) + Self.failures(of: [outcome.savingError])
        } catch {
            return Self.failures(of: [Task.isCancelled ? nil : error, readError])
        }
    }

    private static func failedRepairs(in outcome: VerificationOutcome) -> [WriteFailure] {
        outcome.failures.sorted { $0.key < $1.key }
            .map { path, reason in "cannot repair \(path): \(reason)" }
            .limited(to: maximumFailures) { "cannot repair \(counted($0, "more file"))" }
            .map { WriteFailure(text: $0, error: nil) }
    }

    private static func failures(of errors: [(any Error)?]) -> [WriteFailure] {
        errors.compactMap(\.self).map { error in
            let systemError = error as? SystemError
            let reason = systemError?.advice ?? "\(error)"
            return WriteFailure(text: "cannot verify damaged days: \(reason)", error: systemError)
        }
    }
}
