internal import CLinux
internal import Glibc

/// The service manager that started this process, if one did and wants to hear of it; see sd_notify(3).
///
/// That nobody listens is no error.
package struct ServiceManager: Sendable {
    /// What it is told.
    package enum Message: Hashable, Sendable {
        case ready
        /// Something is looked at afresh; ``ready`` follows.
        case reloading
        case stopping
        /// A line for people, shown by `systemctl status`.
        case status(String)
        /// All is going its way.
        case alive
    }

    /// How often it wants to hear ``Message/alive`` at least; `nil` where it does not.
    package let watchdog: Duration?
    private let socket: String?

    /// - Parameter environment: The variables that the process was started with.
    package init(environment: [String: String]) {
        socket = environment["NOTIFY_SOCKET"].flatMap { address in
            address.utf8.count > 1 && (address.hasPrefix("/") || address.hasPrefix("@"))
                ? address : nil
        }
        watchdog = socket == nil ? nil : Self.watchdog(environment)
    }

    /// Takes the variables that are meant for this process alone out of its environment.
    ///
    /// So no program that it starts speaks in its name. Before there are threads: see setenv(3).
    package static func withdrawVariables() {
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { _ = unsafe unsetenv(name) }
    }

    /// See sd_watchdog_enabled(3).
    private static func watchdog(_ environment: [String: String]) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0
        else { return nil }
        if let pid = environment["WATCHDOG_PID"], Int32(pid) != getpid() { return nil }
        return .microseconds(microseconds)
    }

    /// - Returns: Whether it was taken; one that does not read for long holds up nobody.
    @discardableResult
    package func tell(_ message: Message) -> Bool {
        guard let socket else { return true }
        let text = Array(message.text.utf8)
        var address = socket
        return address.withUTF8 { name in
            unsafe name.withMemoryRebound(to: CChar.self) { name in
                unsafe clinux_send_datagram(
                    name.baseAddress, name.count, text, text.count, message.patience) == 0
            }
        }
    }
}

extension ServiceManager.Message {
    /// How long it may take to be taken, in microseconds: a line for people may be lost.
    fileprivate var patience: CInt {
        if case .status = self { 0 } else { 900_000 }
    }

    fileprivate var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicNanoseconds() / 1000)"
        case .stopping: "STOPPING=1"
        // A line feed would begin another message.
        case .status(let line): "STATUS=\(line.printableLine)"
        case .alive: "WATCHDOG=1"
        }
    }
}
