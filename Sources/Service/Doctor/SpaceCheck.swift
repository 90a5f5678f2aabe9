internal import Platform

/// Whether there is room, and for how many more files.
struct SpaceCheck {
    private let patient: DoctorContext
    private let minimumFree: Int

    init(_ patient: DoctorContext, minimumFree: Int) {
        self.patient = patient
        self.minimumFree = minimumFree
    }

    private static let name = "space"
    /// What a month of pictures takes, more or less.
    private static let month = 300_000_000
    /// Files that a year takes, more or less.
    private static let yearOfFiles = 1500

    var finding: CheckResult {
        do {
            let free = try patient.place.freeBytes()
            return fewFiles(try patient.place.freeFiles()) ?? judgement(of: free)
        } catch {
            return .problem(Self.name, "\(error)", "see that the disk is there")
        }
    }

    private func judgement(of free: Int) -> CheckResult {
        let text = "\(ByteCount(free)) free, --min-free keeps \(ByteCount(minimumFree))"
        if free <= minimumFree {
            return .problem(
                Self.name, "\(text): nothing is written", "make room, or lower --min-free")
        }
        if free - minimumFree < Self.month {
            return .note(
                Self.name, "\(text): that is a few weeks of pictures",
                "make room: all pictures since 1995 take some 30 GB")
        }
        return .ok(Self.name, text)
    }

    private func fewFiles(_ count: Int?) -> CheckResult? {
        guard let count, count < Self.yearOfFiles else { return nil }
        return .note(
            Self.name, "there is room for \(count) more files only",
            "remove small files there, or make the file system with more inodes")
    }
}
