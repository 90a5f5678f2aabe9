import Glibc
package import Platform

/// A pseudoterminal: the output to its slave is read from its master.
package struct Pseudoterminal {
    package let master: Int32
    package let slave: Int32

    /// See openpty(3).
    package init(columns: UInt16) throws(SystemError) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try retryingInterrupts("openpty", path: "a terminal") {
            unsafe openpty(&master, &slave, nil, nil, &size)
        }
        // A program started by another test may inherit it, which costs only a wait.
        for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (self.master, self.slave) = (master, slave)
    }

    /// The finally visible lines, without overwritten or erased text.
    package static func screen(after text: String) -> [String] {
        text.replacing("\r\n", with: "\n").split(separator: "\n").map { line in
            let last = line.split(separator: "\r", omittingEmptySubsequences: false).last ?? ""
            return String(last).replacing("\u{1b}[K", with: "")
        }
    }
}
