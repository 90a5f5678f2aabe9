import CommandLine
import Platform

/// The program apod-mirror, installed beside the simulator or in the directories of `PATH`.
struct MirrorProgram {
    let path: String
    /// The shell command that runs it: its name if the shell finds it, else its path.
    let command: String

    /// `nil` if it is not installed.
    init?(searchPath: String?) {
        let name = "apod-mirror"
        let folder = Installation.program?.splitAtLastSlash?.above
        guard
            let path = ExternalProgram.find(
                name,
                in: [folder.map(String.init), searchPath].compactMap(\.self).joined(separator: ":"))
        else { return nil }
        let found = ExternalProgram.find(name, in: searchPath)
        self.path = path
        command = (found.flatMap(realPath) == realPath(path) ? name : path).shellWord
    }
}
