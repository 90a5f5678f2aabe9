import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Maintenance
import MediaFormat
import Mirror
import Platform
import Service
import Thumbnails
import Transfer

/// Formats `status --report`, what a request for help needs.
///
/// Users publish it: it consists of numbers, times and words of this program, from a fixed list of fields. No text that a
/// user, a server or an error message made is in it, such as a path, a name or an address.
struct SupportReport {
    let report: StatusReport
    let tree: Tree
    let snapshot: TreeSnapshot

    var text: String {
        let sections = [
            ("machine", machine), ("settings", settings), ("status", status), ("tree", summary),
        ]
        return "apod-mirror \(Version.current), report of \(report.now.timestamp)\n"
            + sections.map { name, lines in
                "\n[\(name)]\n" + lines.map { "\($0)\n" }.joined()
            }.joined()
    }

    private var machine: [String] {
        let process = ProcessInfo.processInfo
        let mount = Mount(of: tree.root)
        let isReadOnly = mount?.options.contains("ro") ?? false
        return [
            "system: \(process.operatingSystemVersionString)",
            "processors: \(process.activeProcessorCount),"
                + " memory: \(ByteCount(Int(clamping: process.physicalMemory)))",
            "file system: \(mount?.type ?? "unknown")\(isReadOnly ? ", read-only" : "")",
            "library: \(Client.libraryVersion)",
        ]
    }

    /// The settings of the last run; a URL or a path is replaced by what the help calls it.
    private var settings: [String] {
        Settings.all.map(\.option).compactMap { option in
            report.settings[option.name].map { value in
                let isPlace = option.isAddress || option.value?.completion == .directory
                let text = isPlace && value != "off" ? option.value?.placeholder : value
                return "\(option.spelling) \(text ?? "")"
            }
        }
    }

    private var status: [String] {
        // Of the days without a picture; causes are words of the program.
        let causes = (report.all.missing + report.all.withoutPicture).map(\.cause)
        return [
            "health: \(report.health.rawValue), watcher: \(report.watcher?.rawValue ?? "none"),"
                + " obstacle: \(report.obstacle?.kind.rawValue ?? "none")",
            "reasons: \(Self.list(counting: causes.map { $0?.rawValue ?? "not tried" }))",
        ] + report.numbers.map { "\($0.name): \($0.value)" }
    }

    private var summary: [String] {
        let types = snapshot.days.flatMap(\.media).map { $0.type?.fileExtension ?? "other" }
        let years = snapshot.recorded.map { String("\($0)".prefix(4)) }
        let own = try? tree.root.folder(Layout.own)
        // A file, or a directory that is not there, has no number.
        let folders = Layout.ownNames.compactMap { name in
            (try? own?.folder(name)?.textNames().count).map { (name, $0) }
        }
        return [
            "pictures: \(Self.list(counting: types))",
            "days with a record: \(Self.list(counting: years))",
            "unreadable: \(snapshot.unreadable.count)",
            "in .apod-mirror: \(Self.list(folders))",
        ]
    }

    private static func list(counting words: [String]) -> String {
        list(Array(Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)))
    }

    /// `gif 2, jpg 17`, by name.
    private static func list(_ counts: [(String, Int)]) -> String {
        counts.isEmpty
            ? "none" : counts.sorted { $0.0 < $1.0 }.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
