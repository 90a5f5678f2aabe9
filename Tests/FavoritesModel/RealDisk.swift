package import APOD
internal import Glibc
import JSON
internal import Mirror
internal import Platform
internal import TestSupport

/// The tree on the disk, and the operations of users.
package struct RealDisk: Sendable {
    package let root: String
    /// The paths of the pictures that are or will be mirrored.
    package let pictures: [Day: String]

    package init(root: String, pictures: [Day: String]) {
        self.root = root
        self.pictures = pictures
    }

    package func path(_ relative: String) -> String { "\(root)/\(relative)" }

    /// The bytes of a day's picture, which are unique.
    package static func picture(of day: Day) -> [UInt8] { bytes("the picture of \(day)") }

    /// A picture by its magic bytes.
    private static func bytes(_ text: String) -> [UInt8] { [0xFF, 0xD8, 0xFF] + Array(text.utf8) }

    // MARK: The mirror

    /// Writes the picture and the record of `day`.
    package func mirror(_ day: Day) throws {
        guard let picture = pictures[day] else { preconditionFailure("\(day) has no picture") }
        mirror(day, "Title of \(day)", (picture, Self.picture(of: day)))
    }

    /// Writes the files and the record of `day`; of a video, the picture is the poster, and one that is not downloaded has
    /// a `page`, which is not written.
    package func mirror(
        _ day: Day, _ title: String, _ picture: (path: String, bytes: [UInt8]),
        video: (path: String, bytes: [UInt8])? = nil, page: String? = nil
    ) {
        let elsewhere: JSON? = page.map {
            ["url": "https://www.youtube.com/embed/a", "page": .string($0)]
        }
        let json: JSON = [
            "date": .string("\(day)"), "title": .string(title), "explanation": "",
            "picture": mirrored(picture), "video": video.map { mirrored($0) } ?? elsewhere,
            "source": ["fetched": "2026-11-20T05:00:00Z"],
        ]
        write(json.document, to: Layout.recordPath(of: day))
    }

    /// Writes a file; returns its description in a record.
    private func mirrored(_ file: (path: String, bytes: [UInt8])) -> JSON {
        write(file.bytes, to: file.path)
        var hash = SHA256()
        hash.update(file.bytes)
        return [
            "url": "https://apod.nasa.gov/x", "path": .string(file.path),
            "bytes": .integer(file.bytes.count), "sha256": .string(hash.hexDigest()),
        ]
    }

    package func publish(_ day: Day) {
        unlink("latest.jpg")
        symlink(pictures[day] ?? "", at: "latest.jpg")
    }

    package func losePicture(of day: Day) { unlink(pictures[day] ?? "") }

    // MARK: The user

    package func make(_ thing: Thing, at path: String) {
        switch thing {
        case .folder: makeDirectory(path)
        case .fifo: must(unsafe mkfifo(self.path(path), 0o644), path)
        case .link(let target): link(target, at: path)
        case .file(.hardLink(let day), _):
            must(unsafe Glibc.link(self.path(pictures[day] ?? ""), self.path(path)), path)
        case .file(let contents, let made):
            write(bytes(of: contents), to: path)
            // Each file has its own modification time, before or after now.
            setTime(of: path, to: World.start - 1000 + made)
        }
    }

    /// As “ln -sf” does it, but by a hidden name, which no scan records if it comes between the two steps.
    package func replace(_ target: Target, at path: String) {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(path.dropLast(Layout.split(path).name.count)).Cu\(number)"
        link(target, at: temporary)
        rename(temporary, to: path)
    }

    package func rename(_ old: String, to new: String) {
        // A folder with nothing but the texts of the mirror is empty in the model.
        for name in [Layout.favoritesHint, Layout.favoritesReport] { unlink("\(new)/\(name)") }
        must(unsafe Glibc.rename(path(old), path(new)), "\(old) to \(new)")
    }

    /// Exchanges two names, by three renames: no scan may run meanwhile.
    package func exchange(_ one: String, with other: String) {
        rename(one, to: "exchanged")
        rename(other, to: one)
        rename("exchanged", to: other)
    }

    package func makeDirectory(_ path: String) { must(unsafe mkdir(self.path(path), 0o755), path) }

    /// Makes a folder and those above it, where they are missing.
    package func makeFolders(_ path: String) {
        var above = root
        for part in path.split(separator: "/") {
            above += "/\(part)"
            _ = unsafe mkdir(above, 0o755)
        }
    }

    /// Atomic, as seen by a scan.
    package func remove(_ path: String) {
        rename(path, to: "removed")
        removeTree(self.path("removed"))
    }

    package func unlink(_ path: String) { _ = unsafe Glibc.unlink(self.path(path)) }

    /// Writes a file, in folders that are made.
    package func write(_ bytes: [UInt8], to path: String) {
        makeFolders(Layout.split(path).folder)
        let file = unsafe open(self.path(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        must(file, path)
        must(CInt(unsafe Glibc.write(file, bytes, bytes.count)), path)
        close(file)
    }

    private func link(_ target: Target, at path: String) { symlink(text(of: target), at: path) }

    package func symlink(_ target: String, at path: String) {
        must(unsafe Glibc.symlink(target, self.path(path)), path)
    }

    /// Sets the modification time of a file or link, in seconds since 1970.
    package func setTime(of path: String, to seconds: Int) {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        must(
            unsafe utimensat(AT_FDCWD, self.path(path), [time, time], AT_SYMLINK_NOFOLLOW), path)
    }

    private func must(_ result: CInt, _ path: String) {
        precondition(result >= 0, "\(path): \(SystemError("call", path: root, code: errno))")
    }

    func target(_ path: String) -> String? {
        let (above, name) = Layout.split(path)
        return (try? Directory(opening: root).folder(above))??.target(of: name)
    }

    // MARK: Content

    package func text(of target: Target) -> String {
        switch target {
        case .relative(let day, let up): Self.up(up) + (pictures[day] ?? "")
        case .absolute(let day): path(pictures[day] ?? "")
        case .record(let day): path(Layout.recordPath(of: day))
        case .placeholder(let day, let up):
            Self.up(up) + "\(Layout.folder(Layout.pictures, of: day))/\(day)"
        case .foreign(let day): "/mnt/nas/\(Layout.folder(Layout.pictures, of: day))/\(day) X.jpg"
        case .own(let day): "/home/me/\(day).jpg"
        case .latest: path("latest.jpg")
        case .neighbor(let name): name
        case .nowhere: "/etc/hostname"
        }
    }

    /// `261120` for 2026-11-20.
    private static func digits(of day: Day) -> String {
        String("\(day)".dropFirst(2).filter { $0 != "-" })
    }

    private static func up(_ count: Int) -> String { String(repeating: "../", count: count) }

    package func bytes(of contents: Contents) -> [UInt8] {
        switch contents {
        case .copy(let day), .hardLink(let day): Self.picture(of: day)
        case .edited(let number): Self.bytes("edited \(number)")
        case .note(let day):
            Array("https://apod.nasa.gov/apod/ap\(Self.digits(of: day)).html\n".utf8)
        case .nonsense: Array("to be or not to be\n".utf8)
        }
    }
}
