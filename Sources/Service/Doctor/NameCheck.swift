internal import Glibc
internal import Platform

/// What names can be there: links of both kinds, shared blocks, attributes, one name in two cases.
struct NameCheck {
    private let patient: DoctorContext

    init(_ patient: DoctorContext) {
        self.patient = patient
    }

    var findings: [CheckResult] {
        guard let scratch = try? patient.scratch.get() else {
            return ["symlinks", "hardlinks", "reflinks", "attributes", "case"]
                .map(patient.untried)
        }
        let hasHardLinks = hardLinks(in: scratch)
        return [
            symbolicLinks(in: scratch),
            hasHardLinks
                ? .ok("hardlinks", "are possible: the picture of a favorite takes no room")
                : .note("hardlinks", "are not possible", "nothing: favorites are pinned otherwise"),
            reflinks(in: scratch, hasHardLinks: hasHardLinks),
            attributes(in: scratch),
            foldsCase(in: scratch),
        ]
    }

    private func symbolicLinks(in scratch: Scratch) -> CheckResult {
        do {
            try scratch.folder.symlink(scratch.name(of: "link"), to: "nowhere")
            return .ok("symlinks", "are possible")
        } catch {
            return .note(
                "symlinks",
                "are not possible (\(error.reason)): no latest.*, no links as favorites",
                "drop copies or shortcuts, or keep the mirror on ext4, XFS or btrfs")
        }
    }

    private func hardLinks(in scratch: Scratch) -> Bool {
        let name = scratch.name(of: "original")
        guard (try? scratch.folder.open(name, O_WRONLY | O_CREAT)) != nil else { return false }
        return (try? scratch.folder.link(name, to: scratch.folder, as: scratch.name(of: "second")))
            != nil
    }

    private func reflinks(in scratch: Scratch, hasHardLinks: Bool) -> CheckResult {
        let isPossible =
            (try? { () throws(SystemError) in
                let source = try scratch.file("source")
                try source.write([UInt8](repeating: 1, count: 4096), path: scratch.folder.path)
                return try scratch.file("clone").share(with: source)
            }()) ?? false
        if isPossible { return .ok("reflinks", "are possible") }
        return hasHardLinks
            ? .ok("reflinks", "are not possible, and not needed where hard links are")
            : .note("reflinks", "are not possible: the picture of a favorite is a copy", nil)
    }

    private func attributes(in scratch: Scratch) -> CheckResult {
        let key = "user.xdg.comment"
        let file = try? scratch.folder.open(scratch.name(of: "labelled"), O_RDWR | O_CREAT)
        file?.setAttribute(key, "doctor")
        guard file?.attribute(key) == "doctor" else {
            return .note(
                "attributes", "are not possible: pictures lie there without title and origin",
                "nothing: both are in the JSON of the day")
        }
        return .ok("attributes", "are possible")
    }

    private func foldsCase(in scratch: Scratch) -> CheckResult {
        let name = scratch.name(of: "case")
        let isFolding =
            (try? { () throws(SystemError) in
                _ = try scratch.folder.open(name, O_WRONLY | O_CREAT)
                return try scratch.folder.status(name.uppercased()) != nil
            }()) ?? false
        return isFolding
            ? .note(
                "case", "names that differ in case only are the same there",
                "nothing: no two names of the mirror do")
            : .ok("case", "names that differ in case are two")
    }
}
