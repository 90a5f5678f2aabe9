internal import Glibc

/// Who has a lock, as its files say.
extension FileLock {
    /// What a process has the lock for, by which others know how long they may have to wait.
    package enum Role: String, Sendable {
        /// It has the lock until somebody stops it.
        case daemon
        /// It has the lock until its work is done.
        case command
    }

    /// The process that has a lock, as the locked files name it in a line such as `812 daemon`.
    package struct Holder: Hashable, Sendable {
        package let process: Int32
        package let role: Role

        package init(process: Int32, role: Role) {
            (self.process, self.role) = (process, role)
        }

        /// Reads the first line of a locked file, in which a missing role means a daemon; `nil` if it names no process.
        init?(line bytes: [UInt8]) {
            let words = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }
                .split(separator: " ")
            guard let process = words.first.flatMap({ pid_t($0) }) else { return nil }
            let role = words.last.flatMap { Role(rawValue: String($0)) }
            self.init(process: process, role: role ?? .daemon)
        }

        /// The line for the locked files.
        var line: [UInt8] { Array("\(process) \(role.rawValue)\n".utf8) }

        /// ``process`` if there is such a process of this program; else `nil`, because the number may be wrong.
        ///
        /// A restore may have written an old number into the files while they were locked, or the process may be in a
        /// container, which has numbers of its own.
        package var knownProcess: Int32? {
            guard let ownName = OtherProcess.name(of: getpid()) else { return nil }
            return OtherProcess.name(of: process) == ownName ? process : nil
        }

        /// `process 812`, or if it runs as another user, `process 812 of apod-mirror`; `nil` without ``knownProcess``.
        package var text: String? {
            guard let process = knownProcess else { return nil }
            guard let user = OtherProcess.user(of: process), user != Account.effectiveUserID else {
                return "process \(process)"
            }
            return "process \(process) of \(Account.name(ofUser: user))"
        }
    }
}
