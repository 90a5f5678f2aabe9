internal import CLinux
internal import Glibc

// The arguments and the variables of this process.

/// The arguments of the process, its own name first; they need not be UTF-8.
///
/// `CommandLine.arguments` are empty if proc(5) is not mounted.
package func processArguments() -> [[UInt8]] {
    (0..<clinux_argument_count()).compactMap {
        unsafe clinux_argument($0).map { argument in
            unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
        }
    }
}

/// The variables of the process, each `NAME=VALUE`.
private func processVariables() -> [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable)))
        variables.append(bytes)
        unsafe next += 1
    }
    return variables
}

/// The environment of the process; in a value, what is not UTF-8 is replaced by U+FFFD.
package func processEnvironment() -> [String: String] {
    var values: [String: String] = [:]
    for variable in processVariables() {
        guard let equals = variable.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = String(decoding: variable[..<equals], as: UTF8.self)
        values[name] = String(decoding: variable[(equals + 1)...], as: UTF8.self)
    }
    return values
}

/// The names of the variables that are not UTF-8.
package func variablesThatAreNotText() -> [String] {
    processVariables().filter { String(validating: $0, as: UTF8.self) == nil }
        .map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
}
