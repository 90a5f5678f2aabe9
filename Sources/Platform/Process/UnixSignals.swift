internal import CLinux

/// The signals of this process, one element per delivery; see signalfd(2).
///
/// Create this before the first thread starts: threads inherit the mask that blocks the signals. From then
/// on the signals have no default effect.
///
/// A signal that is ignored at the start stays ignored, as nohup(1) and a shell without job control want it
/// of a command in the background: signalfd(2) would deliver it nevertheless.
package struct UnixSignals: AsyncSequence, Sendable {
    package typealias Failure = Never

    private let signals: AsyncStream<Int32>

    /// `harmless` is one of them that does not end the process; it is received even if it is ignored.
    ///
    /// - Throws: ``SystemError`` if no descriptor can be created.
    package init(_ numbers: Int32..., harmless: Int32? = nil) throws(SystemError) {
        let numbers = numbers.filter { $0 == harmless || clinux_is_ignored($0) == 0 }
        let descriptor = try retryingInterrupts("signalfd", path: "the signals") {
            unsafe clinux_signalfd(numbers, numbers.count)
        }
        let file = FileDescriptor(owning: descriptor)
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        let registration = EventLoop.shared.onReadable(descriptor) {
            while case let number = clinux_signalfd_read(file.rawValue), number > 0 {
                continuation.yield(number)
            }
        }
        continuation.onTermination = { _ in registration.cancel() }
        self.signals = signals
    }

    package func makeAsyncIterator() -> AsyncStream<Int32>.Iterator {
        signals.makeAsyncIterator()
    }
}
