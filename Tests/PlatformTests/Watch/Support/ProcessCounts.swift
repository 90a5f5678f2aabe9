import Glibc
import Platform

/// The number of open descriptors of this process; see proc(5).
func openDescriptors() -> Int { names(in: "/proc/self/fd").count - 1 }

/// The names of the threads of this process, by number.
func threads() -> [String: String] {
    let pairs = names(in: "/proc/self/task").map { ($0, text(of: "/proc/self/task/\($0)/comm")) }
    return Dictionary(uniqueKeysWithValues: pairs)
}

/// The number of voluntary context switches of the threads called `names`.
func sleeps(ofThreads names: Set<String>) -> [String: String] {
    threads().filter { names.contains($0.value.filter { !$0.isNewline }) }.mapValues { $0 }
        .reduce(into: [:]) { counts, thread in
            counts[thread.key] = text(of: "/proc/self/task/\(thread.key)/status")
                .split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
        }
}

func text(of path: String) -> String {
    guard let file = try? FileDescriptor(opening: path, O_RDONLY),
        let bytes = try? file.readToEnd(limit: 1 << 20, path: path)
    else { return "" }
    return String(decoding: bytes, as: UTF8.self)
}

func names(in path: String) -> [String] {
    (try? Directory(opening: path).textNames()) ?? []
}
