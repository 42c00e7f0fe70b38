#include "checker/engine/KernelCompiler.h"

#include "support/Files.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace tikc::engine {
namespace {

/// A standard header that the runtime includes. NVRTC has no standard headers.
struct StandardHeader {
  const char* name;
  const char* text;
};

constexpr StandardHeader standardHeaders[] = {
    {"algorithm", "#pragma once\n"},
    {"cmath", "#pragma once\n"
              "namespace std { using ::exp2; using ::fabs; using ::fma; }\n"},
    {"cstddef", "#pragma once\n"
                "namespace std { using size_t = decltype(sizeof 0); }\n"},
    {"cstdint", "#pragma once\n"
                "namespace std {\n"
                "using uint8_t = unsigned char; using uint16_t = unsigned short;\n"
                "using uint32_t = unsigned int; using uint64_t = unsigned long;\n"
                "using int64_t = long; using uintptr_t = unsigned long;\n"
                "}\n"},
    {"cstring", "#pragma once\n"
                "namespace std { using ::memcpy; }\n"},
    {"limits",
     "#pragma once\n"
     "namespace std {\n"
     "template <class T> struct numeric_limits;\n"
     "template <> struct numeric_limits<float> {\n"
     "  static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000U); }\n"
     "  static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000U); }\n"
     "};\n"
     "template <> struct numeric_limits<double> {\n"
     "  static constexpr double infinity() {\n"
     "    return __builtin_bit_cast(double, 0x7ff0000000000000UL);\n"
     "  }\n"
     "  static constexpr double quiet_NaN() {\n"
     "    return __builtin_bit_cast(double, 0x7ff8000000000000UL);\n"
     "  }\n"
     "};\n"
     "}\n"},
    {"type_traits", "#pragma once\n"
                    "namespace std {\n"
                    "template <bool, class T, class> struct conditional { using type = T; };\n"
                    "template <class T, class F> struct conditional<false, T, F> {\n"
                    "  using type = F;\n"
                    "};\n"
                    "template <bool B, class T, class F>\n"
                    "using conditional_t = typename conditional<B, T, F>::type;\n"
                    "}\n"},
};

/// Functions without an attribute, such as constexpr ones, are for the device.
constexpr const char* usualOptions[] = {"--std=c++17", "--device-as-default-execution-space"};

/// A program of NVRTC, from its text to its image.
class Program {
public:
  explicit Program(const MachineLibrary& library) : library_(library) {}
  ~Program() {
    if (program_ != nullptr)
      library_.call("nvrtcDestroyProgram", &program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  llvm::Expected<CompiledKernels> compile(const std::string& source,
                                          const std::vector<std::string>& expressions,
                                          int architecture) {
    CompiledKernels out;
    if (create(source) && expect(expressions) && run(architecture) && take(expressions, out))
      return out;
    const char* text = library_.get<const char*>("nvrtcGetErrorString", nullptr, code_);
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("NVRTC cannot compile the kernels: {} (error {})",
                                               text == nullptr ? "unknown error" : text, code_));
  }

private:
  bool create(const std::string& source) {
    std::vector<const char*> names, texts;
    for (const StandardHeader& each : standardHeaders) {
      names.push_back(each.name);
      texts.push_back(each.text);
    }
    return succeeds(library_.call("nvrtcCreateProgram", &program_, source.c_str(), "rows.cu",
                                  static_cast<int>(names.size()), texts.data(), names.data()));
  }

  bool expect(const std::vector<std::string>& expressions) {
    for (const std::string& each : expressions)
      if (!succeeds(library_.call("nvrtcAddNameExpression", program_, each.c_str())))
        return false;
    return true;
  }

  bool run(int architecture) {
    const std::string target = fmt::format("--gpu-architecture=sm_{}", architecture);
    std::vector<const char*> options(std::begin(usualOptions), std::end(usualOptions));
    options.push_back(target.c_str());
    const auto count = static_cast<int>(options.size());
    return succeeds(library_.call("nvrtcCompileProgram", program_, count, options.data()));
  }

  bool take(const std::vector<std::string>& expressions, CompiledKernels& out) {
    for (const std::string& each : expressions) {
      const char* name = nullptr;
      if (!succeeds(library_.call("nvrtcGetLoweredName", program_, each.c_str(), &name)))
        return false;
      out.names.emplace_back(name);
    }
    std::size_t size = 0;
    if (!succeeds(library_.call("nvrtcGetCUBINSize", program_, &size)))
      return false;
    out.image.resize(size);
    return succeeds(library_.call("nvrtcGetCUBIN", program_, out.image.data()));
  }

  bool succeeds(int code) {
    code_ = code;
    return code == 0;
  }

  const MachineLibrary& library_;
  void* program_ = nullptr;
  int code_ = 0;
};

std::filesystem::path cachePlace() {
  if (const char* set = std::getenv("XDG_CACHE_HOME"); set != nullptr && *set == '/')
    return set;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::filesystem::path(home) / ".cache";
  return {};
}

std::string hashOf(std::string_view text) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(text.data(), text.size()));
  return llvm::toHex(hash.final(), true);
}

/// The names, one per line, an empty line, and the image.
std::string packed(const CompiledKernels& kernels) {
  std::string out;
  for (const std::string& each : kernels.names)
    out += each + "\n";
  return out + "\n" + kernels.image;
}

CompiledKernels unpacked(std::string_view text) {
  CompiledKernels out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty())
      break;
    out.names.emplace_back(line);
  }
  out.image = text;
  return out;
}

/// The user's cache of kernels. Its files are loaded into the process, so it uses only a folder and
/// files of the user that others cannot write. A cache that cannot be used only costs time.
class Cache {
public:
  Cache() {
    const std::filesystem::path place = cachePlace();
    if (place.empty())
      return;
    llvm::consumeError(makeFolder(place));
    const std::string path = place / "tikc";
    ::mkdir(path.c_str(), 0700);
    folder_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder_ >= 0 && !isSafe(folder_, S_IFDIR))
      ::close(std::exchange(folder_, -1));
  }
  ~Cache() {
    if (folder_ >= 0)
      ::close(folder_);
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// Fills in what a file has, if it is whole: its first line is the hash of the rest.
  bool read(const std::string& name, CompiledKernels& out) const {
    if (folder_ < 0)
      return false;
    const int file =
        ::openat(folder_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
      return false;
    const std::string text = isSafe(file, S_IFREG) ? textOf(file) : "";
    ::close(file);
    const std::size_t end = text.find('\n');
    if (end == std::string::npos || text.substr(0, end) != hashOf(text.substr(end + 1)))
      return false;
    out = unpacked(std::string_view(text).substr(end + 1));
    return true;
  }

  /// Readers see the whole file or none, and several writers do not meet.
  void write(const std::string& name, const CompiledKernels& kernels) const {
    if (folder_ < 0)
      return;
    const std::string body = packed(kernels), text = hashOf(body) + "\n" + body;
    const std::string draft = fmt::format("{}.{}", name, ::getpid());
    const int file = ::openat(folder_, draft.c_str(),
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
      return;
    const bool isWritten = ::write(file, text.data(), text.size()) == std::ssize(text);
    ::close(file);
    if (!isWritten || ::renameat(folder_, draft.c_str(), folder_, name.c_str()) != 0)
      ::unlinkat(folder_, draft.c_str(), 0);
  }

private:
  static bool isSafe(int file, mode_t kind) {
    struct stat facts = {};
    return ::fstat(file, &facts) == 0 && (facts.st_mode & S_IFMT) == kind &&
           facts.st_uid == ::geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  }

  /// Returns the text of a file, or nothing if it is larger than any kernels are.
  static std::string textOf(int file) {
    constexpr std::size_t most = 64U << 20;
    std::string out;
    char part[1U << 16];
    for (ssize_t count = 0; (count = ::read(file, part, sizeof part)) > 0;) {
      out.append(part, static_cast<std::size_t>(count));
      if (out.size() > most)
        return "";
    }
    return out;
  }

  int folder_ = -1;
};

} // namespace

KernelCompiler::KernelCompiler() {
  constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                                   "/usr/local/cuda/lib64/libnvrtc.so",
                                   "/usr/local/cuda/lib/libnvrtc.so"};
  // The one that the process uses fits its driver.
  for (const bool isPresent : {true, false})
    for (const char* name : names) {
      library_ = std::make_unique<MachineLibrary>(name, isPresent);
      if (library_->isLoaded()) {
        problem_.clear();
        return;
      }
      if (problem_.empty() && !isPresent)
        problem_ = fmt::format("no NVRTC: {}", library_->problem());
    }
}

std::string KernelCompiler::version() const {
  int major = 0, minor = 0;
  library_->call("nvrtcVersion", &major, &minor);
  return fmt::format("NVRTC {}.{}", major, minor);
}

llvm::Expected<CompiledKernels> KernelCompiler::compile(const std::string& source,
                                                        const std::vector<std::string>& expressions,
                                                        int architecture) const {
  return Program(*library_).compile(source, expressions, architecture);
}

llvm::Expected<CompiledKernels> compileCached(const KernelCompiler& compiler,
                                              const std::string& source,
                                              const std::vector<std::string>& expressions,
                                              int architecture) {
  std::string all = fmt::format("{}\nsm_{}\n", compiler.version(), architecture);
  for (const char* each : usualOptions)
    all += fmt::format("{}\n", each);
  for (const StandardHeader& each : standardHeaders)
    all += each.text;
  for (const std::string& each : expressions)
    all += each + "\n";
  const std::string name = "rows-" + hashOf(all + source);
  const Cache cache;
  if (CompiledKernels cached; cache.read(name, cached))
    return cached;
  auto kernels = compiler.compile(source, expressions, architecture);
  if (kernels)
    cache.write(name, *kernels);
  return kernels;
}

} // namespace tikc::engine
