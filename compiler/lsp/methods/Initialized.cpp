#include "lsp/methods/Methods.h"
#include "lsp/session/Configure.h"

namespace tikc::lsp {

llvm::Error onInitialized(Session& session, const json::Object&) {
  json::Array registrations;
  if (session.client.registersWatchers) {
    json::Array watchers;
    for (llvm::StringRef glob : {"**/*.tikc.yaml", "**/tikc.yaml", "**/tikc-baseline.yaml"})
      watchers.push_back(json::Object{{"globPattern", glob}});
    registrations.push_back(
        json::Object{{"id", "watch"},
                     {"method", "workspace/didChangeWatchedFiles"},
                     {"registerOptions", json::Object{{"watchers", std::move(watchers)}}}});
  }
  if (session.client.registersConfiguration)
    registrations.push_back(json::Object{{"id", "configuration"},
                                         {"method", "workspace/didChangeConfiguration"},
                                         {"registerOptions", json::Object{{"section", "tikc"}}}});
  if (!registrations.empty())
    session.ask("client/registerCapability",
                json::Object{{"registrations", std::move(registrations)}});
  if (session.client.hasConfiguration)
    askConfiguration(session);
  return llvm::Error::success();
}

} // namespace tikc::lsp
