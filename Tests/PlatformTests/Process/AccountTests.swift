import Glibc
import Platform
import Testing

@Suite struct AccountTests {
    @Test func theGroupOfThisProcessIsOneThatItHas() {
        let group = Account.name(ofGroup: getegid())

        #expect(Account.membership(ofGroup: group) == .ofProcess)
        #expect(Account.membership(ofGroup: "no-such-group") == .none)
    }
}
