import APOD
import CommandLine
import FoundationEssentials
import Mirror
import Platform
import Service
import Transfer

/// Formats what a request for help needs: `status --report`.
struct SupportReport {
    private let report: StatusReport
    private let tree: Tree
    private let days: TreeSnapshot
    private let filter: HomeFilter

    /// The maximum number of reasons of missing days.
    private static let maximumReasons = 10

    init(
        _ report: StatusReport, of tree: Tree, _ days: TreeSnapshot, _ arguments: Arguments
    ) throws {
        self.report = report
        self.tree = tree
        self.days = days
        let process = ProcessInfo.processInfo
        let upstream = report.settings[Settings.upstream.option.name]
            .flatMap { try? WebURL($0) }.flatMap { $0.isNASA ? nil : $0.host }
        filter = HomeFilter(
            roots: [tree.root.path, try arguments.mirror().typedRoot].compactMap(\.self),
            home: arguments["HOME"],
            users: ["USER", "LOGNAME", "SUDO_USER"].compactMap { arguments[$0] }
                + [Account.name(ofUser: Account.effectiveUserID), process.fullUserName],
            hosts: [process.hostName, upstream].compactMap(\.self),
            key: try APIKey.find(arguments))
    }

    var text: String {
        let title = """
            apod-mirror \(Version.current), report of \(report.now.timestamp)
            names, keys and addresses of this home are replaced; read it before you send it

            """
        let sections = [
            ("machine", machine), ("settings", settings), ("status", [status]),
            ("reasons", reasons), ("tree", summary),
        ]
        return filter.filtered(
            title
                + sections.map { name, lines in
                    "\n[\(name)]\n" + lines.map { "\($0)\n" }.joined()
                }.joined())
    }

    private var machine: [String] {
        let process = ProcessInfo.processInfo
        let kernel = ["ostype", "osrelease"].compactMap { name in
            (try? Directory(opening: "/proc/sys/kernel").read(name)).flatMap(\.self).map {
                String(decoding: $0, as: UTF8.self).filter { !$0.isNewline }
            }
        }
        let mount = Mount(of: tree.root)
        return [
            "\(process.operatingSystemVersionString), \(kernel.joined(separator: " "))",
            "\(counted(process.activeProcessorCount, "processor")),"
                + " \(ByteCount(Int(clamping: process.physicalMemory))) of memory",
            "\(mount?.type ?? "unknown file system")\(mount?.options.contains("ro") == true ? ", read-only" : "")",
            Client.libraryVersion,
        ]
    }

    /// The settings of the last run, without addresses and paths.
    private var settings: [String] {
        Settings.all.map(\.option).compactMap { option in
            report.settings[option.name].map { value in
                let isPlace =
                    option.placeholder == "URL" || [.file, .directory].contains(option.completion)
                return "\(option.spelling) \(isPlace ? option.placeholder ?? "" : value)"
            }
        }
    }

    private var status: String {
        let style = TerminalStyle(environment: ["NO_COLOR": "1"])
        return StatusText(report: report, style: style, listsAll: false, columns: nil).text.text
    }

    /// Why days are missing or have no picture; the most frequent reasons.
    private var reasons: [String] {
        let days = report.total.missing + report.total.withoutPicture
        let counts = Dictionary(days.map { ($0.reason, 1) }, uniquingKeysWith: +)
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(Self.maximumReasons).map { "\(counted($1, "day")): \($0.excerpt)" }
    }

    private var summary: [String] {
        let media = days.days.flatMap(\.media)
        let types = Dictionary(
            media.map { ($0.type?.fileExtension ?? "other", 1) }, uniquingKeysWith: +)
        let years = Dictionary(
            days.recorded.map { (String("\($0)".prefix(4)), 1) }, uniquingKeysWith: +)
        let own = (try? tree.root.folder(Layout.own)) ?? nil
        let folders = Layout.ownNames.sorted().compactMap { name in
            (try? own?.folder(name)?.textNames().count).map { (name, $0) }
        }
        func list(_ counts: [(String, Int)]) -> String {
            counts.map { "\($0) \($1)" }.joined(separator: ", ")
        }
        return [
            "pictures: \(list(types.sorted { $0.key < $1.key }))",
            "days with a record: \(list(years.sorted { $0.key < $1.key }))",
            "other items: \(days.others.count), unreadable: \(days.unreadable.count)",
            "in .apod-mirror: \(list(folders))",
        ]
    }
}
