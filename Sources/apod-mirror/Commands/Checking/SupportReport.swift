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

/// The text of `status --report`, which users publish when they ask for help.
///
/// Because they publish it, it has only numbers, times and words of this program, from a fixed list of fields. It has no
/// text that a user, a server or an error message made, such as a path, a name or an address.
struct SupportReport {
    let report: StatusReport
    let tree: Tree
    let snapshot: TreeSnapshot

    var text: String {
        let sections = [
            ("machine", machine), ("settings", settings), ("status", status),
            ("tree", treeContents),
        ]
        var text = "apod-mirror \(Version.current), report of \(report.now.timestamp)\n"
        for (name, lines) in sections {
            text += "\n[\(name)]\n" + lines.map { "\($0)\n" }.joined()
        }
        return text
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

    /// The settings of the last run: `--keep 365d`, but `--upstream URL` in place of an address or a path.
    private var settings: [String] {
        Settings.all.map(\.option).compactMap { option in
            guard let value = report.settings[option.name] else { return nil }
            let isPlace = option.isAddress || option.value?.completion == .directory
            let text = isPlace && value != "off" ? option.value?.placeholder : value
            return "\(option.spelling) \(text ?? "")"
        }
    }

    private var status: [String] {
        let days =
            report.days.all.missing + report.days.all.unknown + report.days.all.withoutPicture
        // Causes are words of this program; the reason of a day may have text of a server.
        let causes = days.map { $0.retry?.cause.rawValue ?? "not tried" }
        return [
            "health: \(report.health.rawValue), watcher: \(report.watcher?.rawValue ?? "none"),"
                + " obstacle: \(report.obstacle?.kind.rawValue ?? "none")",
            "reasons: \(Self.list(counting: causes))",
        ] + report.numbers.map { "\($0.name): \($0.value)" }
    }

    /// Which files the mirror has, as numbers.
    private var treeContents: [String] {
        let types = snapshot.days.flatMap(\.media).map { $0.type?.fileExtension ?? "other" }
        let years = snapshot.recorded.map { String("\($0)".prefix(4)) }
        let folders = Layout.ownNames.compactMap { name -> (String, String)? in
            do throws(SystemError) {
                // Files, and directories that are not there, are left out.
                guard let folder = try tree.root.folder("\(Layout.own)/\(name)") else {
                    return nil
                }
                return (name, "\(try folder.textNames().count)")
            } catch {
                return error.isNotDirectory ? nil : (name, "unreadable")
            }
        }
        return [
            "pictures: \(Self.list(counting: types))",
            "days with a record: \(Self.list(counting: years))",
            "unreadable: \(snapshot.unreadable.count + report.unreadable.count)",
            "in .apod-mirror: \(Self.list(folders))",
        ]
    }

    /// How often each of `words` occurs, as ``list(_:)``.
    private static func list(counting words: [String]) -> String {
        let counts = Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
        return list(counts.map { ($0, "\($1)") })
    }

    /// `gif 2, jpg 17`, sorted by name; `none` if there are none.
    private static func list(_ counts: [(name: String, count: String)]) -> String {
        guard !counts.isEmpty else { return "none" }
        return counts.sorted { $0.name < $1.name }.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
