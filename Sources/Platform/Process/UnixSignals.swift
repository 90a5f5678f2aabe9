internal import CLinux
internal import Glibc

/// The signals that end this process in order: SIGTERM, SIGINT and SIGHUP; see signalfd(2).
///
/// Create this before the first thread starts, because threads inherit the mask that blocks the signals. From then on the
/// signals have no default effect.
///
/// A signal that is ignored at the start stays ignored, although signalfd(2) would deliver it: nohup(1), and a shell without job
/// control for a command in the background, want it so.
package struct UnixSignals: Sendable {
    /// The numbers of the received signals.
    package let numbers: AsyncStream<Int32>

    /// The process ends within this time after a signal, even if something waits for a disk that does not answer.
    package static let longestEnd = Duration.seconds(3)

    /// With `reloads`, SIGHUP does not end the process, and is received even if it is ignored.
    ///
    /// A process that does not end in time exits with `lateExitCode`, by default the code of the signal. Nothing is lost then,
    /// because nothing is lost by SIGKILL, either.
    package init(reloads: Bool = false, lateExitCode: Int32? = nil) throws(SystemError) {
        let received = [SIGTERM, SIGINT, SIGHUP].filter {
            reloads && $0 == SIGHUP || clinux_is_ignored($0) == 0
        }
        let descriptor = try retryingInterrupts("signalfd", path: "the signals") {
            unsafe clinux_signalfd(received, received.count)
        }
        let file = FileDescriptor(owning: descriptor)
        // More signals than these may be lost, because the first one that asks for the end forces it below.
        let (numbers, continuation) = AsyncStream.makeStream(
            of: Int32.self, bufferingPolicy: .bufferingOldest(16))
        let end = Monitor(EventLoop.Registration?.none)
        let registration = EventLoop.shared.onReadable(descriptor) {
            while case let number = clinux_signalfd_read(file.rawValue), number > 0 {
                continuation.yield(number)
                guard number != SIGHUP || !reloads else { continue }
                end.withLock { end in
                    guard end == nil else { return }
                    end = EventLoop.shared.at(.now + Self.longestEnd) {
                        _exit(lateExitCode ?? 128 + number)
                    }
                }
            }
        }
        continuation.onTermination = { _ in registration.cancel() }
        self.numbers = numbers
    }
}
