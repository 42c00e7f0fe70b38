# The files that `make install` installs, and the packages.
if(NOT TARGET tikc)
  return()
endif()
include(GNUInstallDirs)

# tikc_install(<file or folder> DESTINATION <folder> [RENAME <name>]): installs a path of the source tree if it exists.
function(tikc_install path)
  set(source ${PROJECT_SOURCE_DIR}/${path})
  if(IS_DIRECTORY ${source})
    install(DIRECTORY ${source} ${ARGN} PATTERN __pycache__ EXCLUDE)
  elseif(EXISTS ${source})
    install(FILES ${source} ${ARGN})
  endif()
endfunction()

set(share ${CMAKE_INSTALL_DATADIR})
install(TARGETS tikc tikc-verify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
tikc_install(docs/man/tikc-verify.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# The target `pages` makes these.
set(pages ${PROJECT_BINARY_DIR}/pages/docs)
install(FILES ${pages}/man/tikc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/completions/tikc.bash DESTINATION ${share}/bash-completion/completions RENAME tikc)
install(FILES ${pages}/completions/_tikc DESTINATION ${share}/zsh/site-functions)
install(FILES ${pages}/completions/tikc.fish DESTINATION ${share}/fish/vendor_completions.d)
install(DIRECTORY ${pages}/reference DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
# Documents link to each schema.
file(GLOB schemas RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/schemas/*.schema.json)
foreach(schema ${schemas})
  tikc_install(${schema} DESTINATION ${share}/tikc/schemas)
endforeach()
foreach(document README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE packaging/copyright examples editors)
  tikc_install(${document} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
tikc_install(docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE)

# For programs that embed generated checkers.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/tikc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tikc)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tikcConfig.cmake.in ${PROJECT_BINARY_DIR}/tikcConfig.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tikcConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tikc.pc.in ${PROJECT_BINARY_DIR}/tikc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tikcConfig.cmake ${PROJECT_BINARY_DIR}/tikcConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/TikcGenerate.cmake
        DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/tikc.pc DESTINATION ${share}/pkgconfig)

# libtikc, for programs that read contracts at run time.
if(TARGET libtikc)
  cmake_path(SET TIKC_PREFIX_OF_PC /)
  cmake_path(RELATIVE_PATH TIKC_PREFIX_OF_PC BASE_DIRECTORY /${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/libtikc.pc.in ${PROJECT_BINARY_DIR}/libtikc.pc @ONLY)
  install(TARGETS tikc_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_BINARY_DIR}/lib/libtikc.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/library/include/tikc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES ${PROJECT_BINARY_DIR}/libtikc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME tikc)
set(CPACK_PACKAGE_VENDOR "The tikc authors")
set(CPACK_PACKAGE_CONTACT "The tikc authors <tikc@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "tikc reads contracts that state how far an inference kernel may drift
from the training kernel that shares its weights. It checks their types,
units, ranges and names, proves or refutes what they claim, and compiles
them to checkers that an engine embeds.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
# .ci/pack makes reproducible packages. It builds the packed targets by name, so tests are not built.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/Reproducible.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
