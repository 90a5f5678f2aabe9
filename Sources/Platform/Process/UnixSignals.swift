internal import CLinux
internal import Glibc

/// Receives the signals SIGTERM, SIGINT and SIGHUP, by which a person or systemd asks this process to end; see signalfd(2).
///
/// Create this value before the first thread starts, because each thread inherits the mask that blocks the signals. From then
/// on, the signals do not end the process by themselves. A task reads ``numbers``, and ends the work.
///
/// A signal that is ignored at the start stays ignored. A user who starts the program by nohup(1) wants it so, and so does a
/// shell without job control that starts a command in the background.
package struct UnixSignals: Sendable {
    /// The numbers of the received signals.
    package let numbers: AsyncStream<Int32>

    /// The process ends at the latest so long after a signal, even if something waits for a disk that does not answer.
    package static let longestEnd = Duration.seconds(3)

    /// Begins to receive the signals.
    ///
    /// - `reloads`: Whether SIGHUP asks for a reload instead of the end. It is then received even if it is ignored.
    /// - `lateExitCode`: The exit code if the process does not end in ``longestEnd``; `nil` for 128 plus the number of the
    ///   signal. Nothing is lost by such an end, because nothing is lost by SIGKILL, either.
    package init(reloads: Bool = false, lateExitCode: Int32? = nil) throws(SystemError) {
        let received = [SIGTERM, SIGINT, SIGHUP].filter {
            (reloads && $0 == SIGHUP) || clinux_is_ignored($0) == 0
        }
        let descriptor = try retryingInterrupts("signalfd", path: "the signals") {
            unsafe clinux_signalfd(received, received.count)
        }
        let file = FileDescriptor(owning: descriptor)
        // Of more than 16 signals at once, some are lost. They are not needed: the first one sets the deadline of the end.
        let (numbers, continuation) = AsyncStream.makeStream(
            of: Int32.self, bufferingPolicy: .bufferingOldest(16))
        let forcedEnd = ForcedEnd()
        let registration = EventLoop.shared.onReadable(descriptor) {
            while case let number = clinux_signalfd_read(file.rawValue), number > 0 {
                continuation.yield(number)
                let isReload = reloads && number == SIGHUP
                if !isReload { forcedEnd.schedule(exitCode: lateExitCode ?? 128 + number) }
            }
        }
        continuation.onTermination = { _ in registration.cancel() }
        self.numbers = numbers
    }

    /// Ends the process after ``longestEnd``.
    private final class ForcedEnd: Sendable {
        private let registration = SharedValue(EventLoop.Registration?.none)

        /// Only the first call has an effect.
        func schedule(exitCode: Int32) {
            registration.withLock { registration in
                guard registration == nil else { return }
                registration = EventLoop.shared.at(.now + longestEnd) { _exit(exitCode) }
            }
        }
    }
}
