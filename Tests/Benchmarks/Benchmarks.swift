import Glibc
import Platform

/// Speed and memory of the mirror, next to those of curl and aria2c in the same run.
///
/// `benchmarks [DIR]` works in a new directory below `DIR`, else below `/var/tmp`, which outlives
/// reboots and so lies on a disk. It exits with 1 where a goal is missed.
@main enum Benchmarks {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        runProcess {
            do {
                switch words.first {
                case Server.role: try Server.serve(words[1])
                case Command.role: try Command.run(Array(words.dropFirst()))
                default: return try run(below: words.first ?? "/var/tmp") ? 0 : 1
                }
                return 0
            } catch {
                Output.error.write("benchmarks: \(error)\n")
                return 2
            }
        }
    }

    /// - Returns: Whether all goals are met.
    private static func run(below directory: String) throws -> Bool {
        let bench = try Workbench(below: directory)
        let goals =
            try ManyPictures(bench).measure() + LargePicture(bench).measure()
            + QuietPass(bench).measure()
        Output.standard.write(Goal.table(goals))
        return goals.allSatisfy(\.isMet)
    }
}
