import Glibc
import Platform

/// The output of a program on one descriptor, collected by a thread.
package final class Capture: Sendable {
    /// The program closed the descriptor before it wrote the expected text.
    package struct Silence: Error, CustomStringConvertible {
        let awaited: String
        let text: String

        package var description: String { "“\(awaited)” never came, only “\(text)”" }
    }

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
        var waiting: [Waiting] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private struct Waiting {
        /// `nil` for the end.
        let text: String?
        let waiter: CancellableContinuation
    }

    private let state = Monitor(State())

    /// Takes ownership of `descriptor`, and closes it at the end of the output.
    package init(of descriptor: Int32) {
        startThread("capture") { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            // A terminal without writers returns EIO; see pty(7).
            while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 {
                take(buffer[..<count])
            }
            close(descriptor)
            end()
        }
    }

    /// Waits for the end of the output, and returns all of it.
    package func whole() async throws -> String {
        try await wait(for: nil)
        return state.withLock { $0.text }
    }

    /// Returns as soon as `text` has been written.
    ///
    /// - Returns: All output until then.
    /// - Throws: ``Silence`` if the program ends without it.
    @discardableResult package func wait(for text: String) async throws -> String {
        try await wait(for: .some(text))
        let written = state.withLock { $0.text }
        guard written.contains(text) else { throw Silence(awaited: text, text: written) }
        return written
    }

    private func wait(for text: String?) async throws {
        let waiter = CancellableContinuation()
        let isThere = state.withLock { state in
            if state.isOver || text.map(state.text.contains) ?? false { return true }
            state.waiting.append(Waiting(text: text, waiter: waiter))
            return false
        }
        if !isThere { try await waiter.wait() }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        let met = state.withLock { state in
            state.bytes += bytes
            let text = state.text
            return state.waiting.filter { $0.text.map(text.contains) ?? false }
        }
        for waiting in met { waiting.waiter.resume() }
    }

    private func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting
        }
        for waiting in waiting { waiting.waiter.resume() }
    }
}
