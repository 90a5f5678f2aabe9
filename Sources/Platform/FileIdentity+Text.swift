extension FileIdentity {
    /// Reads what was written of a device and an inode, `nil` where that is no number.
    package init?(device: String, inode: String) {
        guard let device = UInt(device), let inode = UInt(inode) else { return nil }
        self.init(device: device, inode: inode)
    }
}
