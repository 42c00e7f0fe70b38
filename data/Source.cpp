#include "data/Source.h"

#include "data/Paths.h"
#include "data/arrays/ArrayInput.h"
#include "data/pairing/Join.h"
#include "data/text/TextInput.h"
#include "support/Check.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tikc::data {
namespace {

struct OpenFile {
  std::string name;
  std::shared_ptr<const MappedFile> file;
};

/// All of them, or one error that says which could not be read, and that the others were not.
llvm::Expected<std::vector<OpenFile>> openAll(std::span<const std::string> paths) {
  std::vector<OpenFile> out;
  std::vector<std::string> faults, others;
  for (const std::string& path : paths) {
    if (path == "-") {
      out.push_back({path, nullptr});
      continue;
    }
    auto file = MappedFile::open(path);
    std::string fault;
    if (!file)
      fault = llvm::toString(file.takeError());
    else if ((*file)->bytes().empty())
      fault = fmt::format("{} is empty", utf8::tickedPath(path));
    if (fault.empty()) {
      out.push_back({path, std::move(*file)});
      others.push_back(path);
    } else {
      faults.push_back(std::move(fault));
    }
  }
  if (faults.empty())
    return out;
  std::string message = faults.front();
  if (faults.size() > 1)
    message += fmt::format(" (and {} more cannot be read)", faults.size() - 1);
  if (!others.empty())
    message += fmt::format("; did not read {}", someOf(others));
  return usageError(message);
}

/// What else somebody may well hand in, and what to do instead.
std::string whyForeign(std::string_view start) {
  constexpr std::string_view instead = "write JSON lines, .npz or safetensors";
  if (start.starts_with("PAR1"))
    return fmt::format("is Parquet, which tikc does not read; {}", instead);
  if (start.starts_with("ARROW1"))
    return fmt::format("is Arrow, which tikc does not read; {}", instead);
  if (start.starts_with("\x89HDF"))
    return fmt::format("is HDF5, which tikc does not read; {}", instead);
  if (start.starts_with("\x80\x02") || start.starts_with("\x80\x04"))
    return "is a Python pickle, which tikc does not read; convert it with `python3 -m tikc.export`";
  if (start.starts_with("TIKCEVID"))
    return "is evidence, not data; read it with `tikc measure CONTRACT` or `tikc diagnose`";
  return {};
}

} // namespace

Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;
Source::~Source() = default;

namespace {

/// The first of a binding's paths that the data have; null if they have none.
const std::string* pathIn(const Binding& binding, const Survey& survey) {
  const auto found =
      std::find_if(binding.paths.begin(), binding.paths.end(), [&](const std::string& path) {
        return std::any_of(survey.fields.begin(), survey.fields.end(),
                           [&](const SurveyedField& field) { return field.path == path; });
      });
  return found == binding.paths.end() ? nullptr : &*found;
}

/// The field that a role is read from, as far as the first records show; empty without the role.
std::string_view fieldOf(Role role, const Layout& layout, const Survey& survey) {
  const Binding* const binding = layout.find(role);
  if (binding == nullptr)
    return {};
  const std::string* const path = pathIn(*binding, survey);
  return path != nullptr ? *path : binding->paths.front();
}

/// The field that both sides are read from; empty if they are two.
std::string_view fieldOfBothSides(const Layout& layout, const Survey& survey) {
  for (const auto& [train, infer] :
       {std::pair(Role::Train, Role::Infer), std::pair(Role::TrainRows, Role::InferRows)})
    if (const auto field = fieldOf(train, layout, survey);
        !field.empty() && field == fieldOf(infer, layout, survey))
      return field;
  return {};
}

/// The field that a side of a join reads log-probs from.
std::string_view valuesFieldOf(const Source& side, Role own) {
  const Role role = side.layout().find(own) != nullptr ? own : Role::Side;
  return fieldOf(role, side.layout(), side.survey());
}

using Files = std::map<std::string, std::shared_ptr<const MappedFile>>;

/// The name of a file that both sides read, under whatever name; empty if there is none.
std::string sharedFile(const Files& one, const Files& other) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> known;
  for (const auto& [name, file] : one)
    known.insert(file->identity());
  for (const auto& [name, file] : other)
    if (known.contains(file->identity()))
      return name;
  return {};
}

} // namespace

llvm::Expected<Source> Source::open(std::span<const std::string> paths, const Options& options) {
  if (!options.join.empty())
    return openJoined(paths, options);
  auto named = filesNamed(paths);
  if (!named)
    return named.takeError();
  auto files = openAll(named->paths);
  if (!files)
    return files.takeError();
  DataLimits limits = options.limits;
  limits.digestsBytes |= files->size() > 1; // to know a copy
  Source out;
  out.repeated_ = std::move(named->repeated);
  ArrayInputs arrays(limits, options.vocabulary);
  for (OpenFile& file : *files) {
    if (!file.file) {
      auto stream = streamInput(0, limits);
      if (!stream)
        return stream.takeError();
      out.inputs_.push_back(std::move(*stream));
      continue;
    }
    out.files_.emplace(file.name, file.file);
    if (const std::string foreign = whyForeign(file.file->bytes()); !foreign.empty())
      return usageError(fmt::format("{} {}", utf8::tickedPath(file.name), foreign));
    auto isTaken = arrays.take(file.name, file.file);
    if (!isTaken)
      return isTaken.takeError();
    if (!*isTaken)
      out.inputs_.push_back(textInput(file.name, std::move(file.file), limits, options.readsAhead));
  }
  if (auto error = arrays.finish(out.inputs_))
    return error;
  for (const std::unique_ptr<Input>& input : out.inputs_)
    out.surveys_.push_back(input->survey());
  if (auto error = out.decideLayouts(options))
    return error;
  for (std::size_t i = 0; i < out.layouts_.size(); ++i)
    if (const auto same = fieldOfBothSides(out.layouts_[i], out.surveys_[i]);
        !options.isOneSide && !same.empty())
      return usageError(fmt::format("both sides are the field {}; a field always equals itself",
                                    utf8::ticked(same)));
  out.countPieces();
  return out;
}

llvm::Expected<Source> Source::openJoined(std::span<const std::string> paths,
                                          const Options& options) {
  if (paths.size() != 2)
    return usageError(fmt::format(
        "--join requires two files, the trainer's and the server's; found {}", paths.size()));
  std::vector<Source> sides;
  for (std::size_t i = 0; i < 2; ++i) {
    Options ofSide = options;
    ofSide.join.clear();
    ofSide.isOneSide = true;
    ofSide.shift = 0;
    if (!options.presets.empty())
      ofSide.presets = {i == 0 ? options.presets.front() : options.presets.back()};
    auto side = open(paths.subspan(i, 1), ofSide);
    if (!side)
      return side.takeError();
    const Role own = i == 0 ? Role::Train : Role::Infer;
    const bool isNamed = side->layout().find(own) || side->layout().find(Role::Side);
    if (ofSide.presets.empty() && !isNamed && looksPlain(side->survey(), own)) {
      ofSide.presets = {std::string(plainPreset)};
      side->wasRecognised_ = true;
      if (auto error = side->decideLayouts(ofSide))
        return error;
    }
    sides.push_back(std::move(*side));
    Source& opened = sides.back();
    for (std::size_t k = 0; k < opened.inputs_.size(); ++k)
      if (auto error = takeSide(opened.layouts_[k], opened.surveys_[k], i == 0, options.join))
        return error;
    opened.countPieces();
  }
  const std::string_view values = valuesFieldOf(sides[0], Role::Train);
  if (const auto shared = sharedFile(sides[0].files_, sides[1].files_);
      !shared.empty() && valuesFieldOf(sides[1], Role::Infer) == values)
    return usageError(
        fmt::format("--join would compare {} of {} with itself; name two files, or one field for "
                    "each side with --map",
                    utf8::ticked(values), utf8::tickedPath(shared)));
  Source out;
  for (const Source& side : sides)
    out.files_.insert(side.files_.begin(), side.files_.end());
  out.surveys_ = {sides[0].survey()};
  for (const SurveyedField& field : sides[1].survey().fields)
    out.surveys_.front().fields.push_back(field);
  out.layouts_ = {sides[1].layouts_.front()};
  out.wasRecognised_ = sides[1].wasRecognised_;
  out.inputs_.push_back(
      joinedInput(std::move(sides[0]), std::move(sides[1]), options.shift, options.limits));
  out.countPieces();
  return out;
}

namespace {

/// Adds what is read wherever data have a field of its name, which may be late in a text.
void bindByName(Layout& layout, const Survey& survey, std::span<const std::string> labels) {
  auto bind = [&](Binding own) {
    if (!survey.isWhole || isThere(own, survey))
      layout.bindings.push_back(std::move(own));
  };
  for (const Role role : {Role::Step, Role::Time, Role::Reward, Role::Advantage, Role::ScoreNorm})
    if (!layout.find(role))
      bind({role, {}, {std::string(info(role).name)}});
  for (const std::string_view name : settingNames) {
    const std::string path(name);
    if (!layout.findLabel(name))
      bind({Role::Label,
            path,
            {path, "sampling_params." + path, "samples[]." + path,
             "samples[].sampling_params." + path}});
  }
  for (const std::string& label : labels)
    if (isLabel(label) && !layout.findLabel(label))
      bind({Role::Label, label, {label}});
}

/// Leaves out log-probs or rows if a map names both and the input has only the other.
void leaveOutMissing(Layout& layout, const Survey& survey) {
  if (!layout.hasRows() || !layout.isPaired())
    return;
  const bool hasRows = isThere(*layout.find(Role::TrainRows), survey);
  if (hasRows == isThere(*layout.find(Role::Train), survey))
    return;
  std::erase_if(layout.bindings, [&](const Binding& each) {
    return info(each.role).kind == (hasRows ? RoleKind::Tokens : RoleKind::Rows);
  });
}

} // namespace

llvm::Error Source::decideLayouts(const Options& options) {
  auto said = layoutOf({}, options.map, options.shift);
  if (!said)
    return said.takeError();
  std::vector<std::string_view> presets(
      inputs_.size(), options.presets.empty() ? std::string_view() : options.presets.front());
  if (options.presets.empty() && !said->namesNumbers()) {
    std::string_view first;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (const Preset* const found = recognise(surveys_[i])) {
        presets[i] = found->name;
        if (first.empty())
          first = found->name;
      }
    std::replace(presets.begin(), presets.end(), std::string_view(), first);
    wasRecognised_ = !first.empty();
  }
  layouts_.clear();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    auto layout = layoutOf(presets[i], options.map, options.shift);
    if (!layout)
      return layout.takeError();
    leaveOutMissing(*layout, surveys_[i]);
    bindByName(*layout, surveys_[i], options.labels);
    layouts_.push_back(std::move(*layout));
  }
  return llvm::Error::success();
}

llvm::Error Source::whyNotIntact() const {
  for (const auto& [name, file] : files_)
    if (auto error = file->whyRewritten())
      return error;
  for (const std::unique_ptr<Input>& input : inputs_)
    if (auto error = input->whyDamaged())
      return error;
  return llvm::Error::success();
}

bool Source::isRewritten(std::size_t piece) const {
  const std::span<const std::string> names = filesOf(piece);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto found = files_.find(name);
    return found != files_.end() && found->second->isRewritten();
  });
}

std::vector<Source::PassedOver> Source::passedOver() const {
  auto isSide = [](const Binding& each) {
    const RoleKind kind = info(each.role).kind;
    return kind == RoleKind::Tokens || kind == RoleKind::Rows;
  };
  std::set<std::string> known;
  for (const Preset& preset : presets()) {
    const std::vector<Binding> bindings = *parseMap(preset.map);
    for (const Binding& each : bindings)
      if (isSide(each))
        known.insert(each.paths.begin(), each.paths.end());
  }
  std::vector<PassedOver> out;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Layout& layout = layouts_[i];
    if (layout.bindings.empty())
      continue;
    const Survey& survey = surveys_[i];
    std::set<std::string> sides = known, read;
    for (const Binding& each : layout.bindings) {
      // The first that is there is the one that is meant.
      if (const std::string* const first = isSide(each) ? pathIn(each, survey) : nullptr)
        (layout.hasRows() == (info(each.role).kind == RoleKind::Rows) ? read : sides)
            .insert(*first);
    }
    for (const SurveyedField& field : survey.fields)
      if (field.isArray && sides.contains(field.path) && !read.contains(field.path))
        out.push_back({field.path, layout.hasRows() ? "whole rows" : "log-probs"});
  }
  return out;
}

void Source::countPieces() {
  pieceEnds_.clear();
  std::size_t end = 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    end += inputs_[i]->pieces(layouts_[i]);
    pieceEnds_.push_back(end);
  }
}

std::size_t Source::pieces() const { return pieceEnds_.empty() ? 0 : pieceEnds_.back(); }

std::pair<std::size_t, std::size_t> Source::pieceAt(std::size_t piece) const {
  TIKC_CHECK(piece < pieces(), "there is such a piece");
  // An input without pieces ends where the one before it does, and is never found.
  const auto end = std::upper_bound(pieceEnds_.begin(), pieceEnds_.end(), piece);
  const auto input = static_cast<std::size_t>(end - pieceEnds_.begin());
  return {input, piece - (input == 0 ? 0 : pieceEnds_[input - 1])};
}

std::unique_ptr<PieceReader> Source::read(std::size_t piece) const {
  const auto [input, own] = pieceAt(piece);
  std::unique_ptr<PieceReader> reader = inputs_[input]->read(own, layouts_[input]);
  reader->setNumber(piece);
  return reader;
}

std::span<const std::string> Source::filesOf(std::size_t piece) const {
  return inputs_[pieceAt(piece).first]->files();
}

bool Source::canReadAgain(std::size_t piece) const {
  return inputs_[pieceAt(piece).first]->canReadAgain();
}

Place Source::located(Place place) const {
  if (place.line != 0) {
    const auto [input, own] = pieceAt(place.piece);
    place.line += inputs_[input]->linesBefore(own);
  }
  return place;
}

Fault Source::located(Fault fault) const {
  if (fault.line != 0) {
    fault.record = 0; // it is counted in the piece
    const auto [input, own] = pieceAt(fault.piece);
    fault.line += inputs_[input]->linesBefore(own);
  }
  return fault;
}

} // namespace tikc::data
