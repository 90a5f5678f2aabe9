internal import CLinux
internal import Glibc

/// Notifies the service manager, which is systemd, of the state of this process, see sd_notify(3); without one, sends nothing.
package struct ServiceManager: Sendable {
    package enum Message: Hashable, Sendable {
        case ready
        /// A reload has begun; ``ready`` follows.
        case reloading
        case stopping
        /// A line that `systemctl status` shows.
        case status(String)
        /// The watchdog's keep-alive.
        case alive
    }

    /// After this time without ``Message/alive``, the service manager restarts the service; `nil` if it has no such watchdog.
    package let watchdogTimeout: Duration?
    private let socket: String?
    /// Whether a service manager started this process itself, and not another process of a service, whose variables this one
    /// would inherit; see $SYSTEMD_EXEC_PID in systemd.exec(5).
    package let isPresent: Bool

    /// `environment` is a copy of the variables before ``withdrawVariables()``.
    package init(environment: [String: String]) {
        socket = environment["NOTIFY_SOCKET"].flatMap { address in
            let isSocket = address.hasPrefix("/") || address.hasPrefix("@")
            return isSocket && address.utf8.count > 1 ? address : nil
        }
        isPresent = socket != nil || environment["SYSTEMD_EXEC_PID"] == "\(getpid())"
        watchdogTimeout = socket == nil ? nil : Self.watchdogTimeout(environment)
    }

    /// Removes the variables of sd_notify(3) from the environment, so that no child sends notifications.
    ///
    /// Call this before other threads start; see setenv(3).
    package static func withdrawVariables() {
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { _ = unsafe unsetenv(name) }
    }

    /// The time of the watchdog for this process, see sd_watchdog_enabled(3).
    private static func watchdogTimeout(_ environment: [String: String]) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0
        else { return nil }
        if let pid = environment["WATCHDOG_PID"], Int32(pid) != getpid() { return nil }
        return .microseconds(microseconds)
    }

    /// Sends a message; waits less than a second if the service manager does not read it.
    ///
    /// - Returns: `false` if the message could not be sent; `true` if it was sent or there is no service manager.
    @discardableResult
    package func notify(_ message: Message) -> Bool {
        guard let socket else { return true }
        let text = Array(message.text.utf8)
        var address = socket
        return address.withUTF8 { name in
            unsafe name.withMemoryRebound(to: CChar.self) { name in
                unsafe clinux_send_datagram(name.baseAddress, name.count, text, text.count) == 0
            }
        }
    }
}

extension ServiceManager.Message {
    fileprivate var text: String {
        switch self {
        case .ready: "READY=1"
        // Type=notify-reload requires the time.
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicNanoseconds() / 1000)"
        case .stopping: "STOPPING=1"
        // A line feed would begin another assignment.
        case .status(let line): "STATUS=\(line.printableLine)"
        case .alive: "WATCHDOG=1"
        }
    }
}
