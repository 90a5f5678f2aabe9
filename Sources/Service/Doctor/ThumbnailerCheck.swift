internal import Platform

/// Whether the program is installed that makes the thumbnails.
struct ThumbnailerCheck {
    private let program: String?

    /// - Parameter program: Its path, `nil` where there is none.
    init(_ program: String?) {
        self.program = program
    }

    private static let name = "thumbnailer"
    private static let remedy = "install apod-mirror anew: it brings apod-mirror-thumbnailer"

    var finding: CheckResult {
        guard let program else {
            return .note(
                Self.name, "apod-mirror-thumbnailer is not installed: no thumbnails are made",
                Self.remedy)
        }
        guard Installation.mayRun(program) else {
            return .problem(Self.name, "\(program) may not be run by this user", Self.remedy)
        }
        return .ok(Self.name, "\(program) makes the thumbnails")
    }
}
