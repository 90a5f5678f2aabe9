internal import CLinux
internal import Glibc

/// The signals that reach this process, one element per delivery.
///
/// Must be made before the first thread is started: threads inherit that the signals are held back for
/// the descriptor. From then on they have lost their default effect. See signalfd(2).
package struct UnixSignals: AsyncSequence, Sendable {
    package typealias Failure = Never

    private let signals: AsyncStream<Int32>

    /// - Throws: ``SystemError`` where the kernel has no descriptor to give.
    package init(_ numbers: Int32...) throws(SystemError) {
        let descriptor = try retryingInterrupts("signalfd", path: "the signals") {
            unsafe clinux_signalfd(numbers, numbers.count)
        }
        let file = OpenFile(FileDescriptor(owning: descriptor))
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        let interest = EventLoop.shared.onReadable(descriptor) {
            while case let number = clinux_signalfd_read(file.descriptor.rawValue), number > 0 {
                continuation.yield(number)
            }
        }
        continuation.onTermination = { _ in interest.cancel() }
        self.signals = signals
    }

    package func makeAsyncIterator() -> AsyncStream<Int32>.Iterator {
        signals.makeAsyncIterator()
    }
}

/// A descriptor that a closure keeps open.
private final class OpenFile: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
