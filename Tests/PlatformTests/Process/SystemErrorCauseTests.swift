import Glibc
import Testing

@testable import Platform

@Suite struct SystemErrorCauseTests {
    private func read(failingWith code: CInt) throws(SystemError) -> Int {
        throw SystemError("read", path: "state.json", code: code)
    }

    @Test(arguments: [ENOENT, ENOTDIR])
    func aFileThatIsNotThereHasNoValue(code: CInt) throws {
        #expect(try ifPresent(read(failingWith: code)) == nil)
    }

    @Test(arguments: [ESTALE, EIO, ETIMEDOUT, EACCES, EROFS, EMFILE, ENOSPC, EISDIR, EFBIG])
    func aFileThatCannotBeReadIsNotAbsent(code: CInt) throws {
        #expect(throws: SystemError.self) { try ifPresent(read(failingWith: code)) }
    }

    @Test(arguments: [ENOENT, EISDIR, ELOOP, ENXIO, EFBIG])
    func anotherThingInPlaceOfAFileHasNoValidOne(code: CInt) throws {
        #expect(try ifValid(read(failingWith: code)) == nil)
    }

    @Test(arguments: [ESTALE, EIO, EACCES, EMFILE])
    func aFileThatCannotBeReadMayBeValid(code: CInt) throws {
        #expect(throws: SystemError.self) { try ifValid(read(failingWith: code)) }
    }

    @Test(arguments: [
        (EISDIR, SystemError.Cause.invalid), (EFBIG, .invalid), (EACCES, .denied), (EROFS, .denied),
        (ENOSPC, .shortage), (EMFILE, .shortage), (ESTALE, .transient), (EIO, .transient),
        (ECANCELED, .transient),
    ])
    func eachErrorHasOneCause(code: CInt, cause: SystemError.Cause) {
        #expect(SystemError("read", path: "state.json", code: code).cause == cause)
    }
}
