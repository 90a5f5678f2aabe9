import APOD
import CommandLine
import FoundationEssentials
internal import MediaFormat
import Mirror
import Platform
import Service
import Transfer

/// Formats `status --report`, what a request for help needs: users publish it, so that it names nobody.
struct SupportReport {
    private let report: StatusReport
    private let tree: Tree
    private let snapshot: TreeSnapshot
    /// Replaces what is private, wherever it stands: messages of errors may contain anything.
    private let filter: HomeFilter

    private static let maximumReasons = 10

    /// - Throws: ``CommandError`` if the API key cannot be read: without it, the report might contain it.
    init(
        _ report: StatusReport, of tree: Tree, _ snapshot: TreeSnapshot, _ arguments: Arguments
    ) throws(CommandError) {
        self.report = report
        self.tree = tree
        self.snapshot = snapshot
        let process = ProcessInfo.processInfo
        // Feeds and mirrors at home; the host of NASA is no secret, and may help.
        let addresses = [Settings.upstream, Settings.mirrors].flatMap { setting in
            (report.settings[setting.option.name] ?? "").split(separator: ",")
        }
        let hosts = addresses.compactMap { try? WebURL(String($0)) }.filter { !$0.isNASA }.map(
            \.host)
        // After sudo, the variables have root and the user who called it.
        let users = ["USER", "LOGNAME", "SUDO_USER"].compactMap { arguments[$0] }
        filter = HomeFilter(
            roots: [tree.root.path, arguments.mirror.typedRoot].compactMap(\.self),
            home: arguments["HOME"],
            users: users + [Account.name(ofUser: Account.effectiveUserID), process.fullUserName],
            hosts: [process.hostName] + hosts,
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
        let kernel = ["ostype", "osrelease"].compactMap { name -> String? in
            // Absent in some containers.
            guard let bytes = try? Directory(opening: "/proc/sys/kernel").read(name) else {
                return nil
            }
            return String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
        }
        let mount = Mount(of: tree.root)
        let isReadOnly = mount?.options.contains("ro") ?? false
        return [
            "\(process.operatingSystemVersionString), \(kernel.joined(separator: " "))",
            "\(counted(process.activeProcessorCount, "processor")),"
                + " \(ByteCount(Int(clamping: process.physicalMemory))) of memory",
            "\(mount?.type ?? "unknown file system")\(isReadOnly ? ", read-only" : "")",
            Client.libraryVersion,
        ]
    }

    /// The settings of the last run; a URL or a path is replaced by what the help calls it.
    private var settings: [String] {
        Settings.all.map(\.option).compactMap { option in
            report.settings[option.name].map { value in
                // All options whose value is an address call it URL, such as `URL,...|off`.
                let isPlace =
                    option.placeholder?.hasPrefix("URL") ?? false
                    || [.file, .directory].contains(option.completion)
                return
                    "\(option.spelling) \(isPlace && value != "off" ? option.placeholder ?? "" : value)"
            }
        }
    }

    private var status: String {
        let style = TerminalStyle(environment: ["NO_COLOR": "1"])
        return StatusText(report: report, style: style, listsAll: false, columns: nil).text.text
    }

    /// Why days are missing or have no picture; the most frequent reasons.
    private var reasons: [String] {
        let days = report.all.missing + report.all.withoutPicture
        let counts = Dictionary(days.map { ($0.reason, 1) }, uniquingKeysWith: +)
        // Those of most days first, and equally frequent ones by their text.
        let reasons = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        return reasons.prefix(Self.maximumReasons).map { reason, count in
            "\(counted(count, "day")): \(reason.excerpt)"
        }
    }

    private var summary: [String] {
        let media = snapshot.days.flatMap(\.media)
        let types = Dictionary(
            media.map { ($0.type?.fileExtension ?? "other", 1) }, uniquingKeysWith: +)
        let years = Dictionary(
            snapshot.recorded.map { (String("\($0)".prefix(4)), 1) }, uniquingKeysWith: +)
        let own = try? tree.root.folder(Layout.own)
        // A file, or a directory that is not there, has no number.
        let folders = Layout.ownNames.sorted().compactMap { name in
            (try? own?.folder(name)?.textNames().count).map { (name, $0) }
        }
        func list(_ counts: [(String, Int)]) -> String {
            counts.map { "\($0) \($1)" }.joined(separator: ", ")
        }
        return [
            "pictures: \(list(types.sorted { $0.key < $1.key }))",
            "days with a record: \(list(years.sorted { $0.key < $1.key }))",
            "other items: \(snapshot.others.count), unreadable: \(snapshot.unreadable.count)",
            "in .apod-mirror: \(list(folders))",
        ]
    }
}
