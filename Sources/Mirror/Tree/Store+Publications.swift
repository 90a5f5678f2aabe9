internal import APOD
internal import Platform

/// Finishes or rolls back publications of days that a kill or an error has interrupted: see ``DayPublisher/resume()``.
extension Store {
    /// Finishes or rolls back the publications that a killed process left; if that fails, the next sync of the day tries again.
    func resumePublications() {
        for day in (try? stagedDays()) ?? [] { try? DayPublisher(store: self, day: day).resume() }
    }

    /// Finishes or rolls back the publications that were interrupted, or have failed, since the start of this process, too.
    ///
    /// - Returns: `false` if another task works on one of the days, so that its publication may not be finished.
    /// - Throws: The error of a removal that cannot be finished. A publication that deletes nothing waits for the next sync.
    func finishPublications() throws(SystemError) -> Bool {
        for day in try stagedDays() {
            guard claims.claim(day) else { return false }
            defer { claims.release(day) }
            let publisher = DayPublisher(store: self, day: day)
            do throws(SystemError) {
                try publisher.resume()
            } catch {
                if try publisher.isUnfinishedRemoval { throw error }
            }
        }
        return true
    }

    /// The days with staged files.
    private func stagedDays() throws(SystemError) -> Set<Day> {
        let names = try incoming.textNames().filter(DayPublisher.isStagedName)
        return Set(names.compactMap { FileName.day(of: $0) })
    }
}
