// The API's contract, src/api/openapi.json, as it was when the program was built.
#pragma once

#include <string_view>

namespace muster::api {

std::string_view OpenApiDocument();

}  // namespace muster::api
