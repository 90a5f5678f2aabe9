internal import APOD
internal import Mirror
internal import Platform

extension ReconcileRun {
    /// Requests the removal of the held favorites, if a person renamed the report to ``FavoritesText/confirmation(of:)``.
    ///
    /// Only the report that was written last counts. An older one, from a backup for example, confirms nothing.
    func acceptConfirmation(in scan: inout Scan) throws(SystemError) {
        let held = stored.favorites.values.filter(\.isHeld).map(\.day)
        guard !held.isEmpty else { return }
        let name = FavoritesText.confirmation(of: held)
        for (index, item) in scan.items.enumerated()
        where FavoritesText.isName(item.name.text, typedFor: name) {
            let path = "\(Layout.favorites)/\(item.name.text)"
            let files = try textFiles()
            guard try files.isMoved(from: FavoritesText.report.path, to: path) else { continue }
            // The requests are durable before the file that asks for them is deleted.
            for day in held { try store.requestForget(day) }
            try tree.root.removeDurably(path)
            // Renaming the report is not deleting it: it is written again if it still has something to say.
            _ = try files.remove([FavoritesText.report.path])
            scan.items.remove(at: index)
            scan.forgetRequests.formUnion(held)
            return
        }
    }
}
