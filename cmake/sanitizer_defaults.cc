// Linked into every program of a sanitizer build: how the sanitizers behave when no *_OPTIONS says
// otherwise, so that a test behaves the same under ctest, in a debugger and from the shell.
extern "C" {

#if defined(__SANITIZE_ADDRESS__)
const char* __asan_default_options() {
  return "detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1";
}
const char* __ubsan_default_options() { return "print_stacktrace=1"; }
#endif

#if defined(__SANITIZE_THREAD__)
const char* __tsan_default_options() { return "halt_on_error=1:second_deadlock_stack=1"; }
// Debian's libraries are built without ThreadSanitizer: it sees their accesses (through memcpy and
// the like, and through templates that the linker takes from us) but not all that orders them. What
// RocksDB does with what it is handed is therefore not looked at; that two threads may use a
// journal at once is tested on the storage in memory.
const char* __tsan_default_suppressions() {
  return "called_from_lib:librocksdb.so\n"
         "race:librocksdb.so\n"
         "race:muster::runtime::RocksDb\n";
}
#endif

}  // extern "C"
