internal import Glibc
internal import Platform

/// Whether this user may write there.
struct WriteCheck {
    private let patient: DoctorContext

    init(_ patient: DoctorContext) {
        self.patient = patient
    }

    var finding: CheckResult {
        let user = Account.name(ofUser: Account.current)
        switch patient.scratch {
        case .success:
            return .ok("write", "\(user) may write in \(patient.place.path)")
        case .failure(let error) where error.code == EROFS:
            return .problem(
                "write", "\(patient.place.path) is on a file system that is mounted read-only",
                "mount it for writing (mount -o remount,rw), or choose another --root")
        case .failure(let error) where error.isNoSpace:
            return .problem("write", "\(error)", "make room there, or choose another --root")
        case .failure where patient.tree != nil:
            return .note(
                "write", "\(user) may not write in \(patient.place.path), \(owner) may",
                "ask as \(owner) to have all of it tried: sudo -u \(owner) apod-mirror doctor"
                    + " --root \(patient.root.shellWord)")
        case .failure(let error):
            return .problem(
                "write", "\(error)",
                "give \(user) the right to write there, or choose another --root")
        }
    }

    private var owner: String {
        (try? patient.place.rights()).map { Account.name(ofUser: $0.owner) } ?? "its owner"
    }
}
