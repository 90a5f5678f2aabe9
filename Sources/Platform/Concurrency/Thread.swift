internal import CLinux
internal import Glibc

/// Why a thread could not be started.
package struct ThreadError: Error, Sendable {
    /// What happened and what to do, as one line for the log.
    package let reason: String
}

/// Starts a thread, or ends the process with code 1 if that fails.
///
/// top(1) shows `name`, which has at most 15 bytes.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do {
        try tryToStartThread(name, body)
    } catch {
        endProcess(error.reason)
    }
}

/// Starts a thread that the process can do without.
package func tryToStartThread(
    _ name: String, _ body: @escaping @Sendable () -> Void
) throws(ThreadError) {
    let box = unsafe Unmanaged.passRetained(ThreadBody(name: name, body: body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    // The threads of this program need far less than the default of 8 MiB.
    unsafe pthread_attr_setstacksize(&attributes, 512 << 10)
    defer { unsafe pthread_attr_destroy(&attributes) }

    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument = unsafe argument else { return nil }
            let box = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
            unsafe clinux_name_thread(box.name)
            box.body()
            return nil
        }, box.toOpaque())
    if code == 0 { return }
    unsafe box.release()
    let reason = unsafe String(cString: strerror(code))
    throw ThreadError(
        reason: "cannot start a thread: \(reason); raise the limit of tasks (ulimit -u, TasksMax=)")
}

extension Array where Element: Sendable {
    /// What `make` returns for each element, in the order of the elements.
    ///
    /// This thread and a second one call `make`. More threads would delay other work of the daemon. If the second one cannot be
    /// started, this one does all the work.
    package func mapOnThreads<Made: Sendable>(
        _ make: @escaping @Sendable (Element) -> Made
    ) -> [Made] {
        let work = Monitor(SharedWork<Made>(count: count))
        let body = { @Sendable in
            while let index = work.withLock({ $0.takeIndex() }) {
                let made = make(self[index])
                work.withLock { $0.made[index] = made }
            }
            work.signal()
        }
        if count > 1 { try? tryToStartThread("worker", body) }
        body()
        return work.wait { $0.allMade }
    }
}

/// The work of the threads of ``Swift/Array/mapOnThreads(_:)``.
private struct SharedWork<Made: Sendable>: Sendable {
    private var nextIndex = 0
    /// The results so far, by the indices of their elements.
    var made: [Made?]

    init(count: Int) { made = Array(repeating: nil, count: count) }

    /// The index of an element for which `make` is to be called; `nil` if there is none left.
    mutating func takeIndex() -> Int? {
        guard nextIndex < made.count else { return nil }
        defer { nextIndex += 1 }
        return nextIndex
    }

    /// `nil` while a thread still makes a result.
    var allMade: [Made]? {
        let results = made.compactMap(\.self)
        return results.count == made.count ? results : nil
    }
}

/// What a new thread gets through the one pointer that pthread_create(3) passes on.
private final class ThreadBody: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
