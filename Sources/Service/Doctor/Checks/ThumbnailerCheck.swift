internal import Platform

/// Checks that the thumbnailer is installed.
struct ThumbnailerCheck {
    private let program: String?

    /// - Parameter program: Its path; `nil` if there is none.
    init(_ program: String?) {
        self.program = program
    }

    private static let name = "thumbnailer"
    private static let remedy = "reinstall apod-mirror, which contains apod-mirror-thumbnailer"

    var result: CheckResult {
        guard let program else {
            return .note(
                Self.name, "apod-mirror-thumbnailer is not installed: no thumbnails are made",
                Self.remedy)
        }
        guard Installation.isExecutable(program) else {
            return .problem(Self.name, "this user may not execute \(program)", Self.remedy)
        }
        return .ok(Self.name, "\(program) is installed")
    }
}
