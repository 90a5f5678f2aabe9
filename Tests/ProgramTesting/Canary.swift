import Glibc

/// A readable directory outside of the tree that reveals whether it was read.
package struct Canary {
    private let paths: [String]

    /// Creates it beside the mirror of `site`.
    package init(in site: Site) throws {
        let folder = "\(site.folder)/canary"
        let names = ["secret.jpg", "2026-11-01.jpg", "pictures/2020/2020-01/2020-01-02 X.jpg"]
        for name in names { try site.write("mine", to: "canary/\(name)") }
        paths =
            [folder] + ["pictures", "pictures/2020"].map { "\(folder)/\($0)" }
            + names.map { "\(folder)/\($0)" }
        // The access time is updated at least if it is older than the modification; see relatime in mount(8).
        let times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 2000, tv_nsec: 0)]
        for path in paths { unsafe utimensat(AT_FDCWD, path, times, 0) }
    }

    /// The result of lstat(2) for each item, which reads no file.
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
