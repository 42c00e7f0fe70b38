#pragma once

#include "explain/Pictures.h"

#include <string>
#include <vector>

/// A measured contract as a page that people look at.
namespace tikc::page {

/// Cells as they are, which whoever writes them escapes; the first row is the heading.
using NumberRows = std::vector<std::vector<std::string>>;

/// A picture, and its numbers for who cannot see it or wants to copy them.
struct Panel {
  std::string id; // of letters, digits and hyphens: a name of a file, and of a place in the page
  std::string heading, note;
  std::string described; // is read out in the picture's place
  explain::Picture picture;
  NumberRows numbers;
};

/// Pictures of one kind, those that matter most first.
struct PanelGroup {
  std::string id, heading;
  std::string intro; // how they are to be read
  std::vector<Panel> panels;
};

} // namespace tikc::page
