import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// The pages are valid HTML.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: unsafe access(tidy, X_OK) == 0, "needs Debian's tidy"))
struct ValidityTests {
    @Test func tidyReportsNoError() async throws {
        try await withMirror { mirror in
            try mirror.add(
                day("2026-11-20"), "<b>Bold & \"quoted\" 'title'</b>\u{2028}",
                [
                    "explanation": "a < b && c > d\n\n\n<p>\u{7}", "credit": "</div>", "alt": "\"",
                    "permalink": "https://science.nasa.gov/?a=1&b=\"2\"",
                ])
            try mirror.add(
                day("2025-11-20"), "A Film",
                [
                    "video": ["url": "https://player.vimeo.com/video/1?a=1&b=2"], "credit": "X",
                    "copyright": "Y",
                ])
            try mirror.record(
                day("2025-11-19"), "Nothing",
                ["missing": ["reason": "<i>", "since": "2025-11-19T00:00:00Z"]])
            mirror.favorites = [day("2026-11-20"), day("2024-01-01")]
            try await mirror.refresh()
            for path in try mirror.pages where path.hasSuffix(".html") {
                // tidy does not support the newer attributes "loading" and "decoding".
                let ending = try run([
                    tidy, "-q", "-e", "--warn-proprietary-attributes", "no", "-f",
                    "\(mirror.root)/report",
                    "\(mirror.root)/\(path)",
                ])
                let report = try mirror.text("report")
                #expect(ending == 0 && report == "", "\(path): \(report ?? "")")
            }
        }
    }
}

private let tidy = "/usr/bin/tidy"

/// Runs a program and waits for its end.
private func run(_ command: [String]) throws -> Int32 {
    let process = try spawn(command, environment: [], (nil, nil, nil))
    var status: Int32 = 0
    try retryingInterrupts("waitpid", path: command[0]) { unsafe waitpid(process, &status, 0) }
    return status
}
