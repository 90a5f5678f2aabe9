internal import Glibc
package import Platform

extension Directory {
    /// Opens `incoming/` in this directory, `.apod-mirror/`, and removes leftovers of earlier processes.
    ///
    /// Staged days stay: see ``DayPublisher``. Anything that is not a file, or cannot be removed, is moved to
    /// `aside/`, or stays if that fails: it must not prevent the start.
    func emptyIncoming() throws(SystemError) -> Directory {
        let name = Layout.split(Layout.incoming).name
        if let status = try status(name), status.kind != .directory {
            try moveAside(Array(name.utf8), from: self)
        }
        let incoming = try makeDirectory(name)
        for name in (try? incoming.names()) ?? [] {
            if let text = String(validating: name, as: UTF8.self), DayPublisher.isStaged(text),
                (try? incoming.status(text))??.kind == .file
            {
                continue
            }
            do {
                try incoming.remove(name)
            } catch {
                try? moveAside(name, from: incoming)
            }
        }
        return incoming
    }

    private func moveAside(_ name: [UInt8], from folder: Directory) throws(SystemError) {
        let aside = try makeDirectory(Layout.split(Layout.aside).name)
        try folder.moveToFreeName(name, in: aside)
    }

    /// Moves `name` into `other`, durably; if the name is taken there, `numbered` makes another of it and a number from
    /// 2 on.
    ///
    /// What a damaged disk cannot write is moved nevertheless.
    package func moveToFreeName(
        _ name: [UInt8], in other: Directory,
        numbered: ([UInt8], Int) -> [UInt8] = { $0.prefix(250) + Array(" \($1)".utf8) }
    ) throws(SystemError) {
        try? flush(name)
        for number in 1...1_000 {
            do {
                return try renameDurably(
                    name, to: other, as: number == 1 ? name : numbered(name, number))
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        let text = String(decoding: name, as: UTF8.self)
        throw SystemError("rename", path: "\(other.path)/\(text)", code: EEXIST)
    }
}
