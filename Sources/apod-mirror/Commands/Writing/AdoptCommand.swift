import CommandLine
import Maintenance
import Mirror
import Platform
import Service

/// `apod-mirror adopt DIR`: imports pictures of APOD that another program downloaded, see ``Adoption``.
struct AdoptCommand {
    private let arguments: Arguments
    private let settings: Settings
    private let isDryRun: Bool
    private let isOffline: Bool
    private let source: Directory
    private let report: AdoptionReport

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        settings = try Settings(arguments)
        isDryRun = try arguments.isOn(.dryRun)
        isOffline = try arguments.isOn(.offline)
        try arguments.printFoundMirror()
        let path = resolvedPath(arguments.operands[0])
        try Self.check(path, apartFrom: settings.root)
        do {
            source = try Directory(opening: path)
        } catch {
            throw CommandError(
                error.cause == .denied
                    ? "\(error); \(Self.accessAdvice(for: path))"
                    : "\(error); name the directory with the pictures")
        }
        report = AdoptionReport(of: path, isJSON: try arguments.isOn(.json), isDryRun: isDryRun)
    }

    /// What to do if the source cannot be read.
    static func accessAdvice(for path: String) -> String {
        // A network disk may give root no rights, whatever the permissions say.
        guard Account.effectiveUserID != 0 else {
            return "not even root may read it; copy the pictures to a disk of this machine"
        }
        let name = Account.name(ofUser: Account.effectiveUserID)
        return "“adopt” reads as \(name): give that user access, such as with"
            + " “setfacl -R -m u:\(name):rX \(path.shellWord)”"
    }

    /// Checks that neither directory contains the other: a mirror is no source of its own.
    private static func check(_ path: String, apartFrom root: String) throws(CommandError) {
        let (isInside, isAround) = (path.isPath(in: root), root.isPath(in: path))
        guard isInside || isAround else { return }
        guard !(isInside && isAround) else {
            throw .usage(
                "\(path) is the mirror itself; “apod-mirror run” makes the missing records of"
                    + " its pictures")
        }
        throw .usage(
            "\(path) is \(isInside ? "inside" : "around") the mirror in \(root); move the pictures"
                + " into a directory of their own, or choose another --root")
    }

    func run() async throws -> ExitCode {
        let mirror =
            try await isDryRun ? nil : MirrorWriter(arguments.openTreeWithoutDaemon(), settings)
        let store = try mirror?.store ?? arguments.previewTree().map(Store.init(reading:))
        var adoption = try Adoption(of: source, into: store) { report.add($0) }
        // Also after an error: the pictures that were imported before it are in the mirror.
        defer {
            report.finish(
                otherFiles: adoption.otherFiles,
                waiting: (try? mirror?.store.adoptedDays().count) ?? 0)
        }
        adoption.scan()
        try adoption.carryOut(in: mirror?.store)
        let code = try await publishAdoptedDays(in: mirror)
        return report.hasFailed ? .failure : code
    }

    private func publishAdoptedDays(in mirror: MirrorWriter?) async throws -> ExitCode {
        guard !isOffline, let summary = try await mirror?.publishAdoptedDays() else { return .done }
        if let message = summary.message {
            StandardStream.error.write("apod-mirror: \(message)\n")
        }
        return summary.exitCode
    }
}
