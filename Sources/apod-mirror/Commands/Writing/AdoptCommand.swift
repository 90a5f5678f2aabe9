import CommandLine
import Maintenance
import Mirror
import Platform
import Service

/// `apod-mirror adopt DIR`: imports the pictures of APOD that another program downloaded into a directory.
///
/// `Adoption` copies the pictures into the mirror, and a sync publishes them with the entries of NASA. The directory itself is
/// not changed. ``AdoptionReport`` prints what becomes of each file.
struct AdoptCommand {
    private let access: MirrorAccess
    private let settings: Settings
    private let isDryRun: Bool
    private let isOffline: Bool
    /// The directory with the pictures.
    private let source: Directory
    private let report: AdoptionReport

    init(_ arguments: Arguments) throws {
        access = MirrorAccess(arguments)
        settings = try Settings(arguments)
        isDryRun = try arguments.isOn(.dryRun)
        isOffline = try arguments.isOn(.offline)
        try arguments.printFoundMirror()
        // The command line has exactly one operand, as `Command.operands` says.
        let path = resolvedPath(arguments.operands[0])
        try Self.check(path, apartFrom: settings.root, isMirror: arguments.mirror.exists)
        source = try Self.openSource(at: path)
        report = AdoptionReport(of: path, isJSON: try arguments.isOn(.json), isDryRun: isDryRun)
    }

    private static func openSource(at path: String) throws(CommandError) -> Directory {
        do {
            return try Directory(opening: path)
        } catch {
            let advice =
                error.cause == .denied
                ? accessAdvice(for: path) : "name the directory with the pictures"
            throw CommandError("\(error); \(advice)")
        }
    }

    /// What to do if this user may not read the source at `path`, or files in it.
    static func accessAdvice(for path: String) -> String {
        let id = Account.effectiveUserID
        // A network disk may give no rights to root, whatever the permissions say.
        guard id != 0 else {
            return "not even root may read it; copy the pictures to a disk of this machine"
        }
        return "“adopt” reads as \(Account.name(ofUser: id)): give that user access, such as with"
            + " “setfacl -R -m u:\(Account.knownName(ofUser: id) ?? "\(id)"):rX \(path.shellWord)”"
    }

    /// Checks that the source at `path` and the mirror in `root` are apart: a mirror cannot adopt its own pictures.
    ///
    /// If there is no mirror in `root` yet, the pictures may be in the directory that is to become it.
    private static func check(
        _ path: String, apartFrom root: String, isMirror: Bool
    ) throws(CommandError) {
        if path == root, isMirror {
            throw .usage(
                "\(path) is the mirror itself; “apod-mirror run” makes the missing records of its pictures"
            )
        }
        if path == root {
            throw .usage(
                "\(path) would become the mirror itself; rename this directory, or choose another --root"
            )
        }
        let isInside = path.isPath(in: root)
        guard isInside || root.isPath(in: path) else { return }
        throw .usage(
            "\(path) is \(isInside ? "inside" : "around") the mirror in \(root); move the pictures"
                + " into a directory of their own, or choose another --root")
    }

    func run() async throws -> ExitCode {
        // A dry run only reads the mirror, if there is one.
        let mirror =
            try await isDryRun ? nil : DaemonlessSync(access.openInsteadOfDaemon(), settings)
        let store = try mirror?.store ?? access.openIfPresent().map(Store.init(reading:))
        defer { if let tree = mirror?.store.tree { warnOfMovedItems(in: tree) } }
        var adoption = try Adoption(of: source, into: store) { report.add($0) }
        // After an error, too, because the pictures that were imported before it are in the mirror.
        defer {
            for item in mirror?.store.tree.takeMovedItems() ?? [] { report.add(item) }
            report.finish(
                otherFiles: adoption.otherFiles,
                waiting: (try? mirror?.store.daysWaitingInAdopted().count) ?? 0)
            report.printFavorites(of: adoption.mirrorsWithFavorites, notIn: settings.root)
        }
        adoption.scan()
        try adoption.carryOut(in: mirror?.store)
        var code = try await publishAdoptedDays(in: mirror)
        for failure in mirror?.forgetRepairedDamage() ?? [] {
            warn(failure.text)
            if code == .done { code = failure.exitCode }
        }
        return report.hasFailed ? .failure : code
    }

    private func publishAdoptedDays(in mirror: DaemonlessSync?) async throws -> ExitCode {
        guard !isOffline, let summary = try await mirror?.publishAdoptedDays() else { return .done }
        if let message = summary.message { warn(message) }
        return summary.exitCode
    }
}
