import Glibc
import Platform

/// Compares speed and memory of the mirror with other programs.
///
/// `benchmarks [DIR [favorites|gallery|idle|pictures|reading|syncs|thumbnails]]` works in a new
/// directory below `DIR`, else below `/var/tmp`, which is on a disk because it survives reboots. It
/// exits with 1 if a goal is missed.
@main enum Benchmarks {
    static func main() {
        prepareProcess()
        let words = Array(CommandLine.arguments.dropFirst())
        runProcess {
            do {
                switch words.first {
                case Server.role: try Server.serve(words[1])
                case Command.role: try Command.run(Array(words.dropFirst()))
                case GalleryRun.role: try await GalleryRun.serve(words[1])
                case PollCost.role: try await PollCost.serve(words[1], words[2])
                case ThumbnailRun.role: try await ThumbnailRun.serve(words[1])
                default:
                    let part = words.count > 1 ? words[1] : nil
                    return try await run(below: words.first ?? "/var/tmp", only: part) ? 0 : 1
                }
                return 0
            } catch {
                StandardStream.error.write("benchmarks: \(error)\n")
                return 2
            }
        }
    }

    /// - Parameters:
    ///   - directory: The parent of the working directory.
    ///   - part: `favorites`, `gallery`, `idle`, `pictures`, `reading`, `syncs` or `thumbnails`, `nil` for all.
    /// - Returns: Whether all goals are met.
    /// - Throws: The error of a measurement.
    private static func run(below directory: String, only part: String?) async throws -> Bool {
        let bench = try Workbench(below: directory)
        var goals: [Goal] = []
        if part == nil || part == "favorites" { goals += try LinkLatency(bench).measure() }
        if part == nil || part == "idle" {
            goals += try PollCost(bench).measure()
            goals += try await StartTime(bench).measure() + IdleDaemon(bench).measure()
            goals += try await DailyWrites(bench).measure()
        }
        if part == nil || part == "gallery" { goals += try GalleryFigures(bench).measure() }
        if part == nil || part == "reading" { goals += try ReadingFigures(bench).measure() }
        if part == nil || part == "thumbnails" { goals += try ThumbnailFigures(bench).measure() }
        if part == nil || part == "pictures" { goals += try ManyPictures(bench).measure() }
        if part == nil || part == "syncs" { goals += try SyncFigures(bench).measure() }
        StandardStream.output.write(Goal.table(goals))
        return goals.allSatisfy(\.isMet)
    }
}
