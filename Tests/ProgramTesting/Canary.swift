import Glibc

/// A folder outside of the tree that anybody may read, and that shows whether somebody did.
package struct Canary {
    private let paths: [String]

    /// Makes it beside the mirror of `site`.
    package init(in site: Site) throws {
        let folder = "\(site.folder)/canary"
        let names = ["secret.jpg", "2026-11-01.jpg", "pictures/2020/2020-01/2020-01-02 X.jpg"]
        for name in names { try site.write("mine", to: "canary/\(name)") }
        paths =
            [folder] + ["pictures", "pictures/2020"].map { "\(folder)/\($0)" }
            + names.map { "\(folder)/\($0)" }
        // That it was read is written down at least where it was written later: see mount(8), relatime.
        let times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 2000, tv_nsec: 0)]
        for path in paths { unsafe utimensat(AT_FDCWD, path, times, 0) }
    }

    /// What lstat(2) says of everything in it: nothing here reads it.
    package var state: [String: [Int]] {
        Dictionary(
            uniqueKeysWithValues: paths.map { path in
                var status = stat()
                guard unsafe lstat(path, &status) == 0 else { return (path, []) }
                return (
                    path,
                    [
                        Int(status.st_ino), Int(status.st_size), status.st_atim.tv_sec,
                        status.st_mtim.tv_sec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
                    ]
                )
            })
    }
}
