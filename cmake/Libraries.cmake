# Every library from outside, under the one name that the folders' LIBRARIES lines use.
find_package(absl REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(RocksDB REQUIRED)
find_package(simdjson REQUIRED)
find_package(spdlog REQUIRED)
find_package(prometheus-cpp REQUIRED CONFIG)
find_package(tomlplusplus REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(Threads REQUIRED)

function(muster_library_from_outside name)
  add_library(muster_outside_${name} INTERFACE)
  target_link_libraries(muster_outside_${name} INTERFACE ${ARGN})
endfunction()

muster_library_from_outside(absl absl::base absl::flat_hash_map absl::flat_hash_set absl::btree
  absl::inlined_vector absl::span absl::status absl::statusor absl::strings absl::str_format absl::time absl::hash
  absl::functional_bind_front absl::any_invocable)
muster_library_from_outside(asio Boost::headers Threads::Threads)
muster_library_from_outside(cli11)
muster_library_from_outside(prometheus prometheus-cpp::core)
muster_library_from_outside(roaring roaring)
muster_library_from_outside(rocksdb RocksDB::rocksdb-shared)
muster_library_from_outside(s2 s2)
muster_library_from_outside(simdjson simdjson::simdjson)
muster_library_from_outside(spdlog spdlog::spdlog)
muster_library_from_outside(tomlplusplus tomlplusplus::tomlplusplus)
# System headers of these libraries are not held to our warnings.
foreach(name IN ITEMS absl asio prometheus roaring rocksdb s2 simdjson spdlog tomlplusplus)
  get_target_property(_linked muster_outside_${name} INTERFACE_LINK_LIBRARIES)
endforeach()
