internal import Glibc

/// A hidden file that comes and goes in a watched folder, to see whether the news of it arrives.
enum Cookie {
    /// Ours alone: whatever is left under it is removed.
    static let name = ".apod-mirror-cookie"

    /// Writes the file and removes it.
    ///
    /// - Returns: `false` where that is not possible, so that there will be no news.
    static func leave(in folder: String, of parent: Folder) -> Bool {
        do throws(SystemError) {
            guard let folder = try parent.folder(folder) else { return false }
            // One that an earlier process left, because it was killed just then.
            try folder.remove(name)
            // Closed after it was open for writing: that is the event which counts.
            _ = try folder.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try folder.remove(name)
            return true
        } catch {
            return false
        }
    }
}
