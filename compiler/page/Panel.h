#pragma once

#include "explain/Pictures.h"

#include <string>
#include <vector>

/// A measured contract as a page for people.
namespace tikc::page {

/// Unescaped cells; the writer escapes them. The first row is the heading.
using NumberRows = std::vector<std::vector<std::string>>;

/// A picture, and its numbers for readers who cannot see it or want to copy them.
struct Panel {
  std::string id; // letters, digits and hyphens: a file name, and an anchor of the page
  std::string heading, note;
  std::string described; // read aloud instead of the picture
  explain::Picture picture;
  NumberRows numbers;
};

/// Pictures of one kind, the most important first.
struct PanelGroup {
  std::string id, heading;
  std::string intro; // how to read them
  std::vector<Panel> panels;
};

} // namespace tikc::page
