internal import CLinux
internal import Glibc

/// Finds paths that do not exist, without waiting for a mount that does not respond.
///
/// A child process follows the paths, because stat(2) blocks for minutes on a dead mount. A path without a
/// result in time counts as existing, and so do all paths until that child has ended. A path that systemd
/// may hide from a service, in `/home` or `/tmp` for instance, counts as existing, too.
package enum PathProbe {
    private static let hungChild = Monitor<Int32?>(nil)
    /// The timeout for one path in milliseconds.
    private static let timeout: CInt = 1000

    /// - Parameters:
    ///   - paths: Absolute.
    ///   - own: An existing path, on whose mount nothing is hidden.
    /// - Returns: For each path whether it does not exist; `false` if unknown.
    package static func missing(_ paths: [[UInt8]], beside own: String) -> [Bool] {
        let unknown = Array(repeating: false, count: paths.count)
        return hungChild.withLock { hungChild in
            if let child = hungChild {
                guard clinux_has_ended(child) != 0 else { return unknown }
                hungChild = nil
            }
            guard !paths.isEmpty else { return unknown }
            var text = paths.flatMap { $0 + [0] }.map { CChar(bitPattern: $0) }
            var results = [CChar](repeating: 0, count: paths.count)
            var child: pid_t = 0
            let count = unsafe clinux_probe(&text, paths.count, own, &results, timeout, &child)
            if child > 0 { hungChild = child }
            return results.enumerated().map { $0 < count && $1 == CChar(UInt8(ascii: "-")) }
        }
    }
}
