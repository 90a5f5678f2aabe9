import APOD
import Glibc
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What the commands print: each file in `Transcripts` is a session in a shell.
    ///
    /// A line that begins with “$ ” is run; its output follows, that for errors after “! ”, and the exit code after
    /// “? ” if it is not 0. “make docs” writes the files again.
    @Suite(.timeLimit(.minutes(10))) struct TranscriptTests {
        private static let folder = "\(sourceTree)/Tests/CommandLineTests/Transcripts"
        private static let sessions = try? Directory(opening: folder).textNames()
            .filter { $0.hasSuffix(".txt") }.sorted()

        @Test(arguments: try #require(sessions))
        func theCommandsPrintWhatTheTranscriptSays(session: String) async throws {
            let folder = try Directory(opening: Self.folder)
            let expected = String(decoding: try #require(try folder.read(session)), as: UTF8.self)
            try await withSite(days: 4) { site in
                try site.publishTitles()
                var lines: [String] = []
                for line in expected.split(separator: "\n") where line.hasPrefix("$ ") {
                    lines.append(String(line))
                    lines += try await site.output(of: String(line.dropFirst(2)))
                }
                let current = lines.joined(separator: "\n") + "\n"
                if processEnvironment()["APOD_MIRROR_WRITE"] == "1" {
                    try AtomicFile.publish(
                        Array(current.utf8), in: folder, as: session, through: folder)
                } else {
                    #expect(current == expected, "\(session); “make docs” writes it again")
                }
            }
        }
    }
}

extension Site {
    /// Two pictures, a video, and a day without an entry.
    fileprivate func publishTitles() throws {
        for (age, title) in [(0, "The Crab Nebula"), (2, "Saturn at Night")] {
            try simulator.edit(Site.day(age)) {
                $0.title = title
                // The generated one depends on the day.
                $0.credit = "NASA"
                $0.explanationHTML = "What is it? <b>\(title)</b>, seen by a telescope."
            }
        }
        try addVideo(age: 1)
        simulator.withdraw(Site.day(3))
    }

    /// Runs a line of bash in which `apod-mirror` uses this mirror; the result in lines.
    fileprivate func output(of line: String) async throws -> [String] {
        let program = "apod-mirror() { '\(Program.path)' \"$@\"; }; cd '\(folder)'; "
        var line = line
        for age in 1...3 {
            line = line.replacing("DAY-\(age)", with: "\(Site.day(age))")
        }
        line = line.replacing("DAY", with: "\(Site.today)")
        let ending = try await Program(
            ["bash", "-c", program + line],
            environment: [
                "HOME": home, "APOD_MIRROR_ROOT": root, "APOD_MIRROR_SINCE": "4d",
                "APOD_MIRROR_UPSTREAM": simulator.basicAddress, "APOD_MIRROR_FEED": "basic",
                "APOD_MIRROR_PACE": "0s", "APOD_MIRROR_MIN_FREE": "0", "APOD_MIRROR_JOBS": "1",
                "APOD_MIRROR_THUMBNAILS": "no",
            ]
        ).end()
        let errors = lasting(ending.errors).map { "! \($0)" }
        return lasting(ending.output) + errors
            + (ending.code == 0 ? [] : ["? \(ending.code ?? -1)"])
    }

    /// The lines of `text` with placeholders for what differs from run to run.
    private func lasting(_ text: String) -> [String] {
        var text = text.replacing(root, with: "MIRROR").replacing(folder, with: "FOLDER")
            .replacing(simulator.origin, with: "NASA")
            .replacing(#/\d{4}-\d\d-\d\dT[0-9:]+Z/#) { _ in "TIME" }
        for age in 0...3 {
            let name = age == 0 ? "DAY" : "DAY-\(age)"
            text = text.replacing("\(Site.day(age))", with: name)
        }
        text = text.replacing(#/\d{4}\/\d{4}-\d\d/#) { _ in "MONTH" }
            .replacing(#/\d{4}\/[a-z]+\//#) { _ in "MONTH/" }
            .replacing(#/apod-\d{4}-[a-z]+-\d+/#) { _ in "apod-DATE" }
            .replacing(#/\d+ (s|minutes|hours|days) ago \([^)]*\)/#) { _ in "AGO" }
            .replacing(#/\d+ (s|minutes|hours|days) old/#) { _ in "AGE old" }
            .replacing(#/\b\d+(\.\d+)? (bytes|[kMGT]?B)\b/#) { _ in "SIZE" }
            // A sentence of libcurl.
            .replacing(#/Failed to connect [^;]*/#) { _ in "REASON" }
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }
}
