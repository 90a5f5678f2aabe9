internal import Platform

/// Checks that the file system supports symbolic links.
struct LinkCheck {
    private let context: DoctorContext

    init(_ context: DoctorContext) {
        self.context = context
    }

    private static let name = "symlinks"

    var result: CheckResult {
        guard let scratch = try? context.scratch.get() else { return context.unchecked(Self.name) }
        do {
            try scratch.folder.symlink(scratch.name(of: "link"), to: "nowhere")
            return .ok(Self.name, "are supported")
        } catch {
            return .note(
                Self.name,
                "are not supported (\(error.reason)): no latest.*, no links as favorites",
                "drop copies or shortcuts, or put the mirror on ext4, XFS or btrfs")
        }
    }
}
