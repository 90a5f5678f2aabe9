internal import APOD
internal import Mirror
internal import Platform
internal import Thumbnails

/// The command of `--on-new` for one day, as a shell runs it: its variables, and its output without lines of the command itself.
struct NewDayCommand {
    /// The maximum number of bytes in a variable: 4 KiB with the null byte at its end.
    private static let maximumVariable = 4095
    /// The maximum number of bytes of the output that are logged.
    private static let maximumLoggedOutput = 1000

    /// What the user typed: lines for the shell.
    let script: String
    let record: DayRecord
    /// The directory of the mirror, in which the command runs.
    let root: Directory

    /// Runs the command for at most a minute.
    ///
    /// - Returns: How it ended, which is `nil` if this program killed it, and the beginning of what it printed.
    func run() async throws -> (ending: ChildProcess.Ending?, output: String) {
        // The shell gets the command in a variable, because all users can see arguments.
        let arguments = ["-c", "eval \"$APOD_COMMAND\""]
        guard let shell = ExternalProgram("sh", arguments, in: "/bin") else {
            // The code of a shell that does not find a program.
            return (.exit(code: 127), "")
        }
        let inherited = ["PATH", "HOME", "LANG", "DBUS_SESSION_BUS_ADDRESS"]
        let environment = processEnvironment()
            .filter { inherited.contains($0.key) || $0.key.hasPrefix("XDG_") }
            .merging(variables) { $1 }
        let (ending, output) = try await shell.run(
            environment, in: root.path, ownGroup: true, outputLimit: 65_536, within: .seconds(60))
        return (ending, withoutScript(output))
    }

    /// The beginning of `output`, without lines of the script itself.
    ///
    /// A shell prints the line in which it finds a syntax error, and this line may contain a password.
    private func withoutScript(_ output: [UInt8]) -> String {
        // Only the beginning of a line is sought, because the shell or the limit of the output may cut the line. A very short line
        // of the script is not sought, because other output may contain it by chance.
        let starts = script.split(whereSeparator: \.isNewline)
            .map { (line: Substring) in String(line.drop { $0 == " " }.prefix(40)) }
            .filter { $0.count >= 6 }
        let lines = String(decoding: output, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let shownLines = lines.map { line in
            let repeatsScript = starts.contains { line.contains($0) }
            return repeatsScript ? "(a line that repeats the command)" : String(line)
        }
        return shownLines.joined(separator: "\n").cut(to: Self.maximumLoggedOutput)
    }

    // MARK: Variables

    /// The variables that describe the day; a variable has one line, and is empty if the day lacks the text.
    private var variables: [String: String] {
        let entry = record.entry
        let day = entry.day
        let page = entry.permalink ?? "https://apod.nasa.gov/apod/ap\(day.compact).html"
        return [
            "APOD_COMMAND": script,
            // Messengers accept no longer lines.
            "APOD_LINE": "\(day)  \(entry.title.excerpt)",
            "APOD_DATE": "\(day)",
            "APOD_TITLE": line(entry.title),
            "APOD_TEXT": line(entry.explanation),
            "APOD_CREDIT": line(entry.credit ?? entry.copyright),
            "APOD_PICTURE": absolutePath(reducedPicture),
            "APOD_ORIGINAL": absolutePath(record.mediaPath),
            "APOD_ARTICLE": unchangedLine(page),
        ]
    }

    /// The path of the rendition, else of the thumbnail; `nil` if none of them was made from the picture of the day.
    private var reducedPicture: String? {
        guard let picture = record.picture else { return nil }
        let day = record.entry.day
        return [Rendition.path(of: day), Layout.thumbnail(of: day)].first {
            Thumbnails.originalSHA256(storedIn: $0, in: root) == picture.sha256
        }
    }

    private func line(_ text: String?) -> String {
        (text ?? "").printableLine.cut(to: Self.maximumVariable)
    }

    /// `text` as a line; empty if it would be cut or changed, because a path or an address would then lead elsewhere.
    private func unchangedLine(_ text: String) -> String {
        let line = line(text)
        return line == text ? line : ""
    }

    private func absolutePath(_ path: String?) -> String {
        path.map { unchangedLine("\(root.path)/\($0)") } ?? ""
    }
}
