#include "api/openapi.h"

// The document is taken in by the assembler; the build names its path.
__asm__(
    ".pushsection .rodata\n"
    ".global muster_openapi_begin\n"
    ".global muster_openapi_end\n"
    "muster_openapi_begin:\n"
    ".incbin \"" MUSTER_OPENAPI_PATH
    "\"\n"
    "muster_openapi_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char muster_openapi_begin[];  // NOLINT(readability-identifier-naming)
extern const char muster_openapi_end[];    // NOLINT(readability-identifier-naming)
}

namespace muster::api {

std::string_view OpenApiDocument() {
  return {muster_openapi_begin,
          static_cast<std::size_t>(muster_openapi_end - muster_openapi_begin)};
}

}  // namespace muster::api
