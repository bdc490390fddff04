// An array over slots of one kind of word that one thread writes while others read.
//
// Chunks of 4096 words never move and come into being when first written; until then all slots of a
// chunk share one that is full of `kAbsent`. Grow is exclusive; Store and Load are atomic.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/agent.h"

namespace muster::directory {

inline constexpr unsigned kChunkBits = 12;
inline constexpr std::size_t kChunkSlots = std::size_t{1} << kChunkBits;

inline std::size_t ChunkOf(model::AgentSlot slot) { return slot >> kChunkBits; }
inline std::size_t OffsetOf(model::AgentSlot slot) { return slot & (kChunkSlots - 1); }

template <typename Word, Word kAbsent>
class Plane {
 public:
  using Chunk = std::array<std::atomic<Word>, kChunkSlots>;

  Plane() = default;
  Plane(const Plane&) = delete;
  Plane& operator=(const Plane&) = delete;

  // Makes room for slots below `slots`.
  void Grow(std::size_t slots) {
    const std::size_t wanted = (slots + kChunkSlots - 1) >> kChunkBits;
    if (wanted <= capacity_) return;
    const std::size_t capacity = wanted < 2 * capacity_ ? 2 * capacity_ : wanted;
    auto table = std::make_unique<std::atomic<Chunk*>[]>(capacity);
    for (std::size_t i = 0; i < capacity; ++i) {
      Chunk* chunk = i < capacity_ ? table_[i].load(std::memory_order_relaxed) : Shared();
      table[i].store(chunk, std::memory_order_relaxed);
    }
    table_ = std::move(table);
    capacity_ = capacity;
  }

  const std::atomic<Word>& at(model::AgentSlot slot) const {
    return (*table_[ChunkOf(slot)].load(std::memory_order_acquire))[OffsetOf(slot)];
  }
  Word Load(model::AgentSlot slot, std::memory_order order = std::memory_order_relaxed) const {
    return at(slot).load(order);
  }
  void Store(model::AgentSlot slot, Word word,
             std::memory_order order = std::memory_order_relaxed) {
    Writable(slot).store(word, order);
  }
  // For words that several threads write (the chunk must have been written before).
  std::atomic<Word>& Writable(model::AgentSlot slot) {
    std::atomic<Chunk*>& entry = table_[ChunkOf(slot)];
    Chunk* chunk = entry.load(std::memory_order_relaxed);
    if (chunk == Shared()) {
      chunk = NewChunk();
      chunks_.emplace_back(chunk);
      entry.store(chunk, std::memory_order_release);
    }
    return (*chunk)[OffsetOf(slot)];
  }
  // Back to absent; brings no chunk into being.
  void Clear(model::AgentSlot slot) {
    if (Load(slot) != kAbsent) Store(slot, kAbsent, std::memory_order_release);
  }

  // Reads slots in rising order: finds a chunk only where a new one begins.
  class Reader {
   public:
    explicit Reader(const Plane& plane) : plane_(&plane) {}
    Word operator()(model::AgentSlot slot) {
      if (ChunkOf(slot) != index_) {
        index_ = ChunkOf(slot);
        chunk_ = plane_->table_[index_].load(std::memory_order_acquire);
      }
      return (*chunk_)[OffsetOf(slot)].load(std::memory_order_relaxed);
    }

   private:
    const Plane* plane_;
    const Chunk* chunk_ = nullptr;
    std::size_t index_ = ~std::size_t{0};
  };

  // Exclusive of Store.
  std::size_t MemoryUsed() const {
    return chunks_.size() * sizeof(Chunk) + capacity_ * sizeof(std::atomic<Chunk*>);
  }

 private:
  static Chunk* NewChunk() {
    auto* chunk = new Chunk;
    for (std::atomic<Word>& word : *chunk) word.store(kAbsent, std::memory_order_relaxed);
    return chunk;
  }
  static Chunk* Shared() {
    static const std::unique_ptr<Chunk> chunk(NewChunk());
    return chunk.get();
  }

  std::unique_ptr<std::atomic<Chunk*>[]> table_;
  std::size_t capacity_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace muster::directory
