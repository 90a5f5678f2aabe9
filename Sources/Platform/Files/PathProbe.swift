internal import CLinux
internal import Glibc

/// Finds paths that lead nowhere, without ever waiting for a mount that does not answer.
///
/// A child process follows the paths, because stat(2) on a dead mount blocks for minutes. What it does not
/// answer in time counts as there, and nothing more is asked until that child has ended. What systemd may
/// hide from a service, in `/home` or `/tmp` for instance, counts as there too.
package enum PathProbe {
    private static let stuck = Monitor<Int32?>(nil)
    /// So long for one path, in milliseconds.
    private static let patience: CInt = 1000

    /// - Parameters:
    ///   - paths: Absolute.
    ///   - own: A path that is certainly there: nothing is hidden on its mount.
    /// - Returns: Of each whether nothing is there; `false` where that is not known.
    package static func missing(_ paths: [[UInt8]], beside own: String) -> [Bool] {
        let unknown = Array(repeating: false, count: paths.count)
        return stuck.withLock { stuck in
            if let child = stuck {
                guard clinux_has_ended(child) != 0 else { return unknown }
                stuck = nil
            }
            guard !paths.isEmpty else { return unknown }
            var text = paths.flatMap { $0 + [0] }.map { CChar(bitPattern: $0) }
            var answers = [CChar](repeating: 0, count: paths.count)
            var child: pid_t = 0
            let count = unsafe clinux_probe(&text, paths.count, own, &answers, patience, &child)
            if child > 0 { stuck = child }
            return answers.enumerated().map { $0 < count && $1 == CChar(UInt8(ascii: "-")) }
        }
    }
}
