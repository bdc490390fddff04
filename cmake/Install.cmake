# `cmake --install build/release --prefix /usr/local`: the program, its man page and completions, and
# the data that its demonstration and benchmarks play.
include(GNUInstallDirs)

# What `muster ARGUMENTS` prints becomes FILE in DESTINATION.
function(muster_install_printed file destination)
  list(JOIN ARGN " " arguments)
  set(path ${CMAKE_BINARY_DIR}/printed/${file})
  install(CODE "
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/printed)
    execute_process(COMMAND $<TARGET_FILE:muster> ${arguments} OUTPUT_FILE ${path} COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${path} DESTINATION ${destination})
endfunction()

if(TARGET muster)
  install(TARGETS muster RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/muster/data)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
          DESTINATION ${CMAKE_INSTALL_DOCDIR})
  muster_install_printed(muster.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
  muster_install_printed(muster ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
  muster_install_printed(_muster ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
  muster_install_printed(muster.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
endif()
