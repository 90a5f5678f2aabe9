internal import Platform

/// The directories that held a mirror before, so that no new mirror is started on an empty mount point.
///
/// They are in a file outside all trees, `$XDG_STATE_HOME/apod-mirror/mirrors` (else `~/.local/state/…`). It has a line
/// such as `2065 /srv/apod` for each, the last opened at the end. Symbolic links in its path are followed, because a home
/// directory may be one. If this user may not read or write the file, a warning is reported, and no mirror is known.
package struct KnownMirrors: Sendable {
    private struct Line: Equatable {
        /// `st_dev` of the directory of the mirror: another one at its path shows that the disk is not mounted.
        let device: UInt
        /// In bytes: two directories may have names that Swift takes for the same text.
        let path: [UInt8]
    }

    private static let fileName = "mirrors"

    private let directory: String?
    /// Whether the mirrors ``ofService`` are known, too.
    private let includesService: Bool
    /// The longest time for which ``add(_:on:)`` waits for another process.
    private let patience: Duration
    private let report: @Sendable (String) -> Void

    /// `report` receives warnings, which are logged by default.
    package init(
        environment: [String: String], includesService: Bool = false,
        patience: Duration = RetryDelay.longestWaitForList,
        report: (@Sendable (String) -> Void)? = nil
    ) {
        directory = Self.stateDirectory(environment)
        self.includesService = includesService
        self.patience = patience
        self.report = report ?? { Log(environment: environment).warning($0) }
    }

    /// The directory of the user's files outside all trees; `nil` if there is no home directory.
    package static func stateDirectory(_ environment: [String: String]) -> String? {
        let absolutePaths = environment.filter { $0.value.hasPrefix("/") }
        let state =
            absolutePaths["XDG_STATE_HOME"] ?? absolutePaths["HOME"].map { "\($0)/.local/state" }
        return state.map { resolvedPath("\($0)/apod-mirror") }
    }

    /// The mirrors of the system service, whose unit sets `XDG_STATE_HOME=/var/cache`.
    ///
    /// Warnings are dropped, because most machines have no such service.
    package static let ofService = KnownMirrors(
        environment: ["XDG_STATE_HOME": "/var/cache"], report: { _ in })

    /// The mirror that was opened last; `nil` if none is known, or the file cannot be read.
    package var last: String? {
        ((try? lines()) ?? []).last.map { String(decoding: $0.path, as: UTF8.self) }
    }

    package func contains(_ path: String) throws(TreeError) -> Bool {
        try device(of: path) != nil
    }

    /// The device of the mirror at `path`; `nil` if no mirror is known there.
    ///
    /// - Throws: ``TreeError`` if the file cannot be read now: a mirror could be made on an empty mount point.
    func device(of path: String) throws(TreeError) -> UInt? {
        do {
            if let line = try lines().first(where: { $0.path == Array(path.utf8) }) {
                return line.device
            }
        } catch {
            guard error.cause != .transient, error.cause != .shortage else { throw .system(error) }
            warn(error)
        }
        return includesService ? try Self.ofService.device(of: path) : nil
    }

    /// Records that the mirror at `path` was opened.
    ///
    /// A path with a line feed is not recorded. Nor is a path that contains the list: both would be missing together.
    func add(_ path: String, on device: UInt) {
        guard let directory, !path.utf8.contains(UInt8(ascii: "\n")),
            !directory.isPath(in: path)
        else { return }
        do {
            let folder = try Directory(opening: "/")
                .makeDirectory(String(directory.dropFirst()), mode: 0o700)
            // The lock is held until `folder` is closed, so that processes that start together keep each other's lines.
            // Without the lock, the list is written nevertheless: every user who may read the folder can hold it.
            // mutation test: known-lock
            folder.lock(within: patience)
            let earlier = try lines()
            let new = Line(device: device, path: Array(path.utf8))
            guard earlier.last != new else { return }
            let lines = earlier.filter { $0.path != new.path } + [new]
            let text = lines.flatMap { line in
                Array("\(line.device) ".utf8) + line.path + [UInt8(ascii: "\n")]
            }
            try AtomicFile.publish(text, in: folder, as: Self.fileName, through: folder)
        } catch {
            warn(error)
        }
    }

    private func warn(_ error: SystemError) {
        let remedy = error.remedy ?? "check the permissions"
        report("\(error); mirrors on unmounted disks cannot be detected; \(remedy)")
    }

    private func lines() throws(SystemError) -> [Line] {
        guard let directory,
            let folder = try Directory(opening: "/").folder(String(directory.dropFirst()))
        else { return [] }
        // Bytes, because a carriage return and the line feed after it are one character.
        let bytes = try folder.read(Self.fileName, limit: 1 << 20) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard parts.count == 2, let device = UInt(String(decoding: parts[0], as: UTF8.self))
            else { return nil }
            return Line(device: device, path: Array(parts[1]))
        }
    }
}
