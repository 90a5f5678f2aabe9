internal import Platform

/// Checks for free space and free inodes.
struct SpaceCheck {
    private let context: DoctorContext
    private let minimumFree: Int

    init(_ context: DoctorContext, minimumFree: Int) {
        self.context = context
        self.minimumFree = minimumFree
    }

    private static let name = "space"
    /// The size of a month of pictures, about.
    private static let month = 300_000_000
    /// The number of files of a year, about.
    private static let yearOfFiles = 1500

    var result: CheckResult {
        do {
            let free = try context.place.freeBytes()
            return fewFiles(try context.place.freeFiles()) ?? result(of: free)
        } catch {
            return .problem(Self.name, "\(error)", "check that the disk is mounted")
        }
    }

    private func result(of free: Int) -> CheckResult {
        let text = "\(ByteCount(free)) free, --min-free is \(ByteCount(minimumFree))"
        if free <= minimumFree {
            return .problem(
                Self.name, "\(text): nothing can be written", "free disk space, or lower --min-free"
            )
        }
        if free - minimumFree < Self.month {
            return .note(
                Self.name, "\(text): enough for a few weeks",
                "free disk space: all pictures since 1995 take about 30 GB")
        }
        return .ok(Self.name, text)
    }

    private func fewFiles(_ count: Int?) -> CheckResult? {
        guard let count, count < Self.yearOfFiles else { return nil }
        return .note(
            Self.name, "only \(count) free inodes are left",
            "remove files there, or recreate the file system with more inodes")
    }
}
