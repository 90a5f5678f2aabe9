internal import Glibc
internal import Mirror
internal import Platform

/// Checks of the file system of the mirror: permissions, fsync(2), publishing, events, links and free space.
extension Doctor {
    /// Checks whether the mirror is there, if it was, and this user may write to it: ``scratch`` has tried it.
    func checkWriting() -> Outcome {
        if case .unmounted = mirror {
            return .problem(
                "\(root) was a mirror; probably its disk is not mounted",
                remedy: "mount its disk, or for a new mirror there run “mkdir -p"
                    + " \("\(root)/\(Layout.own)".shellWord)”")
        }
        do throws(SystemError) {
            _ = try scratch.get()
        } catch {
            return judge(refusal: error)
        }
        do {
            if case .present(let tree) = mirror {
                try Store(reading: tree).checkPlaces(at: now())
            }
            return .ok("\(Self.user) may write in \(place.path)")
        } catch let obstacle as Obstacle {
            return Self.problem(obstacle)
        } catch {
            return .problem("\(error)", remedy: "check the disk, or choose another --root")
        }
    }

    /// The result for a user who cannot write a test file because of `error`.
    private func judge(refusal error: SystemError) -> Outcome {
        guard error.code != EROFS else {
            return .problem(
                "\(place.path) is on a file system that is mounted read-only",
                remedy: "remount it writable (mount -o remount,rw), or choose another --root")
        }
        let owner = (try? place.status())?.owner
        guard error.cause == .denied, isOfSomebody, owner != Account.effectiveUserID else {
            return Self.problem(error)
        }
        let name = owner.map(Account.name(ofUser:)) ?? "its owner"
        return .note(
            "\(Self.user) may not write in \(place.path); \(name) may",
            remedy: "run all checks as \(name): sudo -u \(name) apod-mirror doctor"
                + " --root \(root.shellWord)")
    }

    /// Whether the mirror of some user, or of the service, is there or will be: it works, and most checks need that user.
    private var isOfSomebody: Bool {
        if case .present = mirror { true } else { startCommand != nil }
    }

    private static var user: String { Account.name(ofUser: Account.effectiveUserID) }

    /// Checks whether downloads have room beside the space that stays free.
    func checkSpace() -> Outcome {
        do {
            if let obstacle = try Obstacle.space(on: place, minimumFree: minimumFree) {
                return Self.problem(obstacle)
            }
            let bytes = try place.freeBytes()
            return .ok("\(ByteCount(bytes)) are free, of which \(ByteCount(minimumFree)) stay free")
        } catch {
            return Self.problem(error)
        }
    }

    // MARK: fsync

    /// Checks whether fsync(2) works, and something is known to make it ineffective.
    func checkFlush(in folder: Directory) -> Outcome {
        let mount = Mount(of: place)
        do throws(SystemError) {
            let temporary = try AtomicFile(Layout.doctor, in: folder)
            try temporary.write([1])
            try temporary.file.requireFlush(path: temporary.path)
        } catch  where error.isUnsupported {
            return .problem(
                "\(mount?.type ?? "this file system") flushes no files: a power cut may leave the newest ones empty",
                remedy: "put the mirror on ext4, XFS or btrfs")
        } catch {
            return Self.problem(error)
        }
        return mount.flatMap(Self.weakness) ?? .ok("works on \(mount?.type ?? "this file system")")
    }

    /// Why fsync(2) may not keep data on this mount; `nil` if nothing is known.
    private static func weakness(of mount: Mount) -> Outcome? {
        if mount.isInMemory {
            return .note(
                "\(mount.type) is in memory: a restart of the machine loses everything",
                remedy: "put the mirror on a disk")
        }
        if mount.type == "overlay" {
            return .note(
                "overlay is a layer of a container and is deleted with it",
                remedy: "mount a volume of the host there")
        }
        if mount.isRemote {
            return .note(
                "\(mount.type) depends on its server for syncing",
                remedy: "export it with the option “sync” on the server")
        }
        guard mount.lacksBarriers else { return nil }
        return .problem(
            "\(mount.type) is mounted without barriers: a power cut may lose synced data",
            remedy: "remove “nobarrier” or “barrier=0” from /etc/fstab")
    }

    // MARK: Publishing

    /// Checks whether a file can be published, and what is lost where the disk lacks a ``DiskFeature``.
    func checkPublishing(in folder: Directory) -> Outcome {
        do throws(SystemError) {
            let name = AtomicFile.uniqueName(Layout.doctor)
            defer { try? folder.remove(name) }
            try AtomicFile.publish([1], in: folder, as: name, through: folder)
            var losses: [String] = []
            for feature in DiskFeature.allCases
            where try !folder.supports(feature, prefix: Layout.doctor) {
                losses.append(Self.loss(without: feature))
            }
            guard !losses.isEmpty else { return .ok("renames, hard links, times and modes work") }
            return .note(
                losses.joined(separator: "; "),
                remedy:
                    "none is needed; to avoid it, mount the disk for \(Self.user) (uid=), or put the mirror on"
                    + " ext4, XFS or btrfs")
        } catch {
            return Self.problem(error)
        }
    }

    /// What `feature` is for, said of a disk that lacks it.
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

    // MARK: Locks

    /// Checks whether flock(2) works, by which one process at a time writes the mirror.
    func checkLock(in folder: Directory) -> Outcome {
        let name = AtomicFile.uniqueName(Layout.doctor)
        let names = FileLock.Names(lock: name, notice: "\(name)-holder")
        defer { for name in [name, "\(name)-holder"] { try? folder.remove(name) } }
        do throws(SystemError) {
            _ = try FileLock.acquire(names, in: folder, as: .command)
            return .ok("works")
        } catch {
            return .problem("\(error)", remedy: error.remedy ?? "check the disk")
        }
    }

    // MARK: Events

    /// Checks whether a new file causes an event, by which the daemon notices links.
    func checkEvents(in folder: Directory) async throws -> Outcome {
        do {
            return judge(
                delayOfEvent: try await folder.delayOfEvent(
                    within: .seconds(2), prefix: Layout.doctor))
        } catch let limit as WatchObstacle {
            // The daemon meets this limit, too, and polls.
            let parts = "\(limit)".split(separator: "; ", maxSplits: 1).map(String.init)
            return .problem(
                "\(parts[0]): favorites/ is scanned every ten seconds instead",
                remedy: parts.count > 1
                    ? parts[1] : "remove the cause, so that the folder can be watched")
        } catch let error as SystemError {
            return Self.problem(error)
        }
    }

    /// The result for an event that came so long after its change; `nil` for none that came.
    private func judge(delayOfEvent delay: Duration?) -> Outcome {
        let mount = Mount(of: place)
        guard let delay else {
            // The daemon cannot notice that events are missing, and does not poll.
            let type = mount?.type ?? "this file system"
            return .problem(
                "\(type) reports no events: links are found by the hourly scan only",
                remedy: "put the mirror on a local file system such as ext4, XFS or btrfs")
        }
        let text = "an event arrives \(Int(delay / .microseconds(1))) µs after a change"
        guard let mount, mount.isRemote else { return .ok(text) }
        return .note(
            "\(text), but \(mount.type) reports no changes by other machines",
            remedy: "run “systemctl reload apod-mirror” after a change there, or wait up to an hour"
        )
    }

    // MARK: Links

    /// Checks whether the file system supports symbolic links.
    func checkLinks(in folder: Directory) -> Outcome {
        let name = AtomicFile.uniqueName(Layout.doctor)
        do {
            try folder.symlink(name, to: "missing")
            try folder.remove(name)
            return .ok("are supported")
        } catch {
            return .note(
                "are not supported (\(error.reason)): latest.jpg is a copy, no links as favorites",
                remedy: "drop copies or shortcuts, or put the mirror on ext4, XFS or btrfs")
        }
    }
}
