internal import Mirror
internal import Platform

/// Checks what the daemon needs of the file system of the mirror: fsync(2), publishing, locks, events, links.
struct DiskChecks {
    typealias Outcome = CheckResult.Outcome

    /// The directory for test files; each check removes its own.
    let folder: Directory
    /// The mount of the file system; `nil` if it is not known.
    let mount: Mount?

    private var fileSystem: String { mount?.type ?? "this file system" }

    /// Checks that fsync(2) works, and that nothing is known that makes it ineffective.
    func checkFlush() -> Outcome {
        do throws(SystemError) {
            let temporary = try AtomicFile(Layout.doctorPrefix, in: folder)
            try temporary.write([1])
            try temporary.file.requireFlush(path: temporary.path)
        } catch  where error.isUnsupported {
            return .problem(
                "\(fileSystem) flushes no files: a power cut may leave the newest ones empty",
                remedy: "put the mirror on ext4, XFS or btrfs")
        } catch {
            return Outcome(problem: error)
        }
        return mount.flatMap(Self.weakness) ?? .ok("works on \(fileSystem)")
    }

    /// Why data may be lost on this mount in spite of fsync(2); `nil` if no reason is known.
    private static func weakness(of mount: Mount) -> Outcome? {
        if mount.isInMemory {
            return .note(
                "\(mount.type) is in memory: a restart of the machine loses everything",
                remedy: "put the mirror on a disk")
        }
        if mount.type == "overlay" {
            return .note(
                "overlay may be deleted with a container, or be in memory",
                remedy:
                    "in a container, mount a volume of the host there; elsewhere, none is needed if the upper layer is on a disk"
            )
        }
        if mount.isRemote {
            return .note(
                "\(mount.type) depends on its server for syncing",
                remedy: mount.type.hasPrefix("nfs")
                    ? "export it with the option “sync” on the server"
                    : "none is needed if the server loses no power; otherwise put the mirror on a local disk"
            )
        }
        guard mount.lacksBarriers else { return nil }
        return .problem(
            "\(mount.type) is mounted without barriers: a power cut may lose synced data",
            remedy: "remove “nobarrier” or “barrier=0” from /etc/fstab")
    }

    /// Checks that a file can be published, and names what is lost because the disk lacks a ``DiskFeature``.
    func checkPublishing() -> Outcome {
        do throws(SystemError) {
            let name = AtomicFile.uniqueName(Layout.doctorPrefix)
            defer { try? folder.remove(name) }
            try AtomicFile.publish([1], in: folder, as: name, through: folder)
            var missing: [DiskFeature] = []
            for feature in DiskFeature.allCases
            where try !folder.supports(feature, prefix: Layout.doctorPrefix) {
                missing.append(feature)
            }
            guard !missing.isEmpty else { return .ok("renames, hard links, times and modes work") }
            return .note(
                missing.map(Self.loss).joined(separator: "; "), remedy: remedy(without: missing))
        } catch {
            return Outcome(problem: error)
        }
    }

    /// What a user can do on a disk that lacks the features `missing`.
    func remedy(without missing: [DiskFeature]) -> String {
        let isMountedForOther = missing.contains(.modificationTime) || missing.contains(.mode)
        let mounting =
            isMountedForOther && mount?.takesOwner == true
            ? "mount the disk for \(Account.effectiveName) (uid=), or " : ""
        return "none is needed; to avoid it, \(mounting)put the mirror on ext4, XFS or btrfs"
    }

    /// What a user loses on a disk that lacks `feature`.
    private static func loss(without feature: DiskFeature) -> String {
        switch feature {
        case .exclusiveRename:
            "renames are not exclusive: without hard links, too, a file that somebody makes at the same moment under"
                + " the same name may be replaced"
        case .hardLink:
            "there are no hard links: pictures of favorites and earlier pictures are kept as copies, which take space"
        case .modificationTime:
            "modification times cannot be set: file managers, photo apps and rsync see the time of the download"
        case .mode:
            "permissions cannot be set: the options of the mount say who may write to favorites/"
        case .directoryFlush:
            "directories cannot be flushed: after a power cut, the newest files may be missing until the next sync"
        }
    }

    /// Checks that flock(2) works, by which only one process at a time writes the mirror.
    func checkLock() -> Outcome {
        let name = AtomicFile.uniqueName(Layout.doctorPrefix)
        let noticeName = "\(name)-holder"
        let names = FileLock.Names(lock: name, notice: noticeName)
        defer { for testFile in [name, noticeName] { try? folder.remove(testFile) } }
        do throws(SystemError) {
            _ = try FileLock.acquire(names, in: folder, as: .command)
            return .ok("works")
        } catch {
            return .problem("\(error)", remedy: error.remedy ?? "check the disk")
        }
    }

    /// Checks that a new file causes an event, by which the daemon notices links in `favorites/`.
    func checkEvents() async throws -> Outcome {
        do {
            guard
                let delay = try await folder.delayOfEvent(
                    within: .seconds(2), prefix: Layout.doctorPrefix)
            else {
                // The daemon cannot notice that events are missing, and so it does not poll.
                return .problem(
                    "\(fileSystem) reports no events: links are found by the hourly scan only",
                    remedy: "put the mirror on a local file system such as ext4, XFS or btrfs")
            }
            let text = "an event arrives \(Int(delay / .microseconds(1))) µs after a change"
            guard let mount, mount.isRemote else { return .ok(text) }
            return .note(
                "\(text), but \(mount.type) reports no changes by other machines",
                remedy:
                    "run “systemctl reload apod-mirror” after a change there, or wait up to an hour"
            )
        } catch let obstacle as WatchObstacle {
            // The daemon meets this obstacle, too, and polls.
            return Outcome(
                problemWithAdvice: "\(obstacle)",
                consequence: ": favorites/ is scanned every ten seconds instead",
                otherwise: "remove the cause, so that the folder can be watched")
        } catch let error as SystemError {
            return Outcome(problem: error)
        }
    }

    /// Checks that the file system supports symbolic links, such as those in `favorites/`.
    func checkLinks() -> Outcome {
        let name = AtomicFile.uniqueName(Layout.doctorPrefix)
        do throws(SystemError) {
            guard try folder.symlinkIfSupported(name, to: "../missing") else {
                let mounting =
                    mount?.type == "fuse.sshfs"
                    ? "mount it with “-o no_contain_symlinks”, or " : ""
                return .note(
                    "are not supported: commands make shortcuts, and there are no wallpapers",
                    remedy:
                        "none is needed; to have links, \(mounting)put the mirror on ext4, XFS or btrfs"
                )
            }
            try folder.remove(name)
            return .ok("are supported")
        } catch {
            return Outcome(problem: error)
        }
    }
}
