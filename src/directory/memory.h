// What containers hold on the heap, for honest accounts of memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace muster::directory {

// Beyond the string object; with the allocator's 16 bytes of its own.
inline std::size_t HeapBytes(const std::string& text) {
  const bool is_inline = text.capacity() <= std::string().capacity();
  return is_inline ? 0 : text.capacity() + 1 + 16;
}

inline std::size_t HeapBytes(const std::vector<std::string>& texts) {
  std::size_t bytes = texts.capacity() * sizeof(std::string);
  for (const std::string& text : texts) bytes += HeapBytes(text);
  return bytes;
}

// Of a Swiss table: a byte of control for each place.
template <typename Table>
std::size_t HashTableBytes(const Table& table) {
  return table.capacity() * (sizeof(typename Table::value_type) + 1);
}

}  // namespace muster::directory
