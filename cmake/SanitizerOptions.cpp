// LLVM's BumpPtrAllocator poisons memory through the user interface, and the archive that Debian
// ships was built without it: left on, AddressSanitizer reports uses after poison that do not
// exist.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "allow_user_poisoning=0:detect_stack_use_after_return=1";
}

extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
