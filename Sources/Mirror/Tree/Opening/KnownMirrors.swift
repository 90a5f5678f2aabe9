internal import Platform

/// The list of the directories in which this user has opened a mirror.
///
/// If the disk of a mirror is not mounted, its mount point is an empty directory. The list shows that a mirror was there, so
/// that no new one is started on the wrong disk.
///
/// The list is in a file outside of all mirrors, `$XDG_STATE_HOME/apod-mirror/mirrors` (else `~/.local/state/…`). It has a
/// line such as `2065 /srv/apod` for each mirror, with the one that was opened last at the end. Symbolic links in the path of
/// the file are followed, because a home directory may be one. If this user may not read or write the file, a warning is
/// reported, and no mirror counts as known.
package struct KnownMirrors: Sendable {
    private struct Line: Equatable {
        /// The number of the device of the mirror (`st_dev`); another number shows that another disk is at the path.
        let device: UInt
        /// The path as bytes, because Swift takes some different names for the same text.
        let path: [UInt8]

        init(device: UInt, path: String) {
            self.device = device
            self.path = Array(path.utf8)
        }

        /// Reads a line without its line feed; `nil` if it has another form.
        init?(_ line: ArraySlice<UInt8>) {
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard parts.count == 2, let device = UInt(String(decoding: parts[0], as: UTF8.self))
            else { return nil }
            self.device = device
            path = Array(parts[1])
        }

        /// The line with its line feed.
        var bytes: [UInt8] { Array("\(device) ".utf8) + path + [UInt8(ascii: "\n")] }

        func isOf(_ path: String) -> Bool { self.path == Array(path.utf8) }
    }

    private static let fileName = "mirrors"
    /// The most bytes of the list that are read (1 MiB): many times the size of any.
    private static let largestFile = 1 << 20

    /// The directory that contains the file; `nil` if this user has no home directory.
    private let directory: String?
    /// Whether the mirrors of the system service, ``ofService``, count as known, too.
    private let includesService: Bool
    private let report: @Sendable (String) -> Void

    /// Finds the list by the variables `XDG_STATE_HOME` and `HOME` of `environment`, without reading it.
    ///
    /// `report` receives warnings, which are logged by default.
    package init(
        environment: [String: String], includesService: Bool = false,
        report: (@Sendable (String) -> Void)? = nil
    ) {
        directory = Self.stateDirectory(environment)
        self.includesService = includesService
        let log = Log(environment: environment)
        self.report = report ?? { log.warning($0) }
    }

    /// The directory for this program's files outside of all mirrors; `nil` if this user has no home directory.
    package static func stateDirectory(_ environment: [String: String]) -> String? {
        let absolutePaths = environment.filter { $0.value.hasPrefix("/") }
        let state =
            absolutePaths["XDG_STATE_HOME"] ?? absolutePaths["HOME"].map { "\($0)/.local/state" }
        return state.map { resolvedPath("\($0)/apod-mirror") }
    }

    /// The list of the system service, whose unit sets `XDG_STATE_HOME=/var/cache`.
    ///
    /// It reports no warnings, because most machines have no such service.
    package static let ofService = KnownMirrors(
        environment: ["XDG_STATE_HOME": "/var/cache"], report: { _ in })

    /// The path of the mirror that was opened last; `nil` if none is known, or if this user may not read the list.
    ///
    /// - Throws: ``SystemError`` if reading the list fails for now.
    package var lastOpened: String? {
        get throws(SystemError) {
            do {
                return try lines().last.map { String(decoding: $0.path, as: UTF8.self) }
            } catch  where !error.mayBeTemporary {
                return nil
            }
        }
    }

    package func contains(_ path: String) throws(TreeError) -> Bool { try device(of: path) != nil }

    /// The number of the device on which the mirror at `path` was when it was opened; `nil` if no mirror is known there.
    ///
    /// - Throws: ``TreeError`` if reading the list fails for now: without it, a mirror could be made on an empty mount point.
    func device(of path: String) throws(TreeError) -> UInt? {
        do {
            if let line = try lines().first(where: { $0.isOf(path) }) { return line.device }
        } catch {
            guard !error.mayBeTemporary else { throw .system(error) }
            warn(error)
        }
        return includesService ? try Self.ofService.device(of: path) : nil
    }

    /// Records that the mirror at `path` was opened.
    ///
    /// A path with a line feed is not recorded, because each line has one path. A mirror that contains the list itself is not
    /// recorded either: without its disk, the list would be missing, too.
    func add(_ path: String, on device: UInt) {
        do throws(SystemError) {
            try write(path, on: device)
        } catch {
            warn(error)
        }
    }

    private func write(_ path: String, on device: UInt) throws(SystemError) {
        guard let directory, !path.utf8.contains(UInt8(ascii: "\n")),
            !directory.isPath(in: path)
        else { return }
        let folder = try Directory(opening: "/")
            .makeDirectory(String(directory.dropFirst()), mode: 0o700)
        let earlier = try lines()
        let new = Line(device: device, path: path)
        guard earlier.last != new else { return }
        let lines = earlier.filter { !$0.isOf(path) } + [new]
        try AtomicFile.publish(
            lines.flatMap(\.bytes), in: folder, as: Self.fileName, through: folder)
    }

    /// Records again that the mirror at `path` was opened, if the list lacks it.
    ///
    /// Somebody may have emptied the directory of the list, or it could not be written before. An error is not reported, because
    /// this is called after each sync.
    func addIfMissing(_ path: String, on device: UInt) {
        let isListed = try? lines().contains { $0.isOf(path) }
        if isListed != true { try? write(path, on: device) }
    }

    private func warn(_ error: SystemError) {
        let remedy = error.remedy ?? "check the permissions"
        report("\(error); mirrors on unmounted disks cannot be detected; \(remedy)")
    }

    /// The lines of the list, the mirror that was opened last at the end; none if there is no list.
    private func lines() throws(SystemError) -> [Line] {
        guard let directory,
            let folder = try Directory(opening: "/").folder(String(directory.dropFirst()))
        else { return [] }
        // Bytes are split, because Swift takes a carriage return and the line feed after it for one character.
        let bytes = try folder.read(Self.fileName, limit: Self.largestFile) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap(Line.init)
    }
}
