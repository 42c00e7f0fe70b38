#include "explain/Layers.h"

#include <algorithm>
#include <numeric>

namespace tikc::explain {
namespace {

constexpr double layerGap = 56, nodeGap = 18;

/// A node, or the place where a long wire passes a layer.
struct LayerSlot {
  std::size_t layer = 0;
  double height = 0, width = 0;
  double middle = 0;
  std::vector<std::size_t> left, right; // slots of the layers beside it
};

class Layering {
public:
  Layering(std::vector<LayerNode> nodes, std::vector<Wire> wires) {
    out_.nodes = std::move(nodes);
    out_.wires = std::move(wires);
  }

  Layout take() {
    if (out_.nodes.empty())
      return {};
    findLayers();
    addSlots();
    order();
    for (int round = 0; round < 8; ++round)
      settle(round % 2 == 0);
    write();
    return std::move(out_);
  }

private:
  /// The longest way from a source.
  void findLayers() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Wire& wire : out_.wires) {
        std::size_t least = out_.nodes[wire.from].layer + 1;
        if (out_.nodes[wire.to].layer < least) {
          out_.nodes[wire.to].layer = least;
          changed = true;
        }
      }
    }
    for (const LayerNode& node : out_.nodes)
      layers_.resize(std::max(layers_.size(), node.layer + 1));
  }

  void addSlots() {
    for (const LayerNode& node : out_.nodes)
      slots_.push_back({node.layer, node.height, node.width, 0, {}, {}});
    for (const Wire& wire : out_.wires) {
      std::vector<std::size_t> way = {wire.from};
      for (std::size_t layer = out_.nodes[wire.from].layer + 1; layer < out_.nodes[wire.to].layer;
           ++layer) {
        constexpr double lane = 10;
        slots_.push_back({layer, lane, 0, 0, {}, {}});
        way.push_back(slots_.size() - 1);
      }
      way.push_back(wire.to);
      for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        slots_[way[i]].right.push_back(way[i + 1]);
        slots_[way[i + 1]].left.push_back(way[i]);
      }
      ways_.push_back(std::move(way));
    }
    std::vector<bool> seen(slots_.size(), false);
    visit(0, seen);
    // Whatever the first node does not rest on still needs a place.
    for (std::size_t i = 0; i < slots_.size(); ++i)
      visit(i, seen);
  }

  /// Premises in the order in which they were stated: few wires cross.
  void visit(std::size_t slot, std::vector<bool>& seen) {
    if (seen[slot])
      return;
    seen[slot] = true;
    layers_[slots_[slot].layer].push_back(slot);
    for (std::size_t premise : slots_[slot].left)
      visit(premise, seen);
  }

  std::vector<double> ranks() const {
    std::vector<double> out(slots_.size());
    for (const auto& layer : layers_)
      for (std::size_t i = 0; i < layer.size(); ++i)
        out[layer[i]] = static_cast<double>(i);
    return out;
  }

  std::size_t crossings() const {
    auto rank = ranks();
    std::size_t out = 0;
    for (const auto& layer : layers_)
      for (std::size_t a : layer)
        for (std::size_t b : layer)
          for (std::size_t c : slots_[a].right)
            for (std::size_t d : slots_[b].right)
              out += rank[a] < rank[b] && rank[c] > rank[d] ? 1 : 0;
    return out;
  }

  /// Each layer by the mean rank of its neighbours, to and fro; the best order seen is kept.
  void order() {
    auto best = layers_;
    std::size_t least = crossings();
    for (int round = 0; round < 6 && least > 0; ++round) {
      for (auto& layer : layers_) {
        auto rank = ranks();
        auto wish = [&](std::size_t slot) {
          const auto& beside = round % 2 == 0 ? slots_[slot].left : slots_[slot].right;
          double sum = 0;
          for (std::size_t neighbour : beside)
            sum += rank[neighbour];
          return beside.empty() ? rank[slot] : sum / static_cast<double>(beside.size());
        };
        std::stable_sort(layer.begin(), layer.end(),
                         [&](std::size_t a, std::size_t b) { return wish(a) < wish(b); });
      }
      if (std::size_t now = crossings(); now < least) {
        least = now;
        best = layers_;
      }
    }
    layers_ = std::move(best);
  }

  /// Moves each layer's slots to where their neighbours are, without changing the order: those that
  /// would meet are moved together.
  void settle(bool fromLeft) {
    for (std::size_t i = 0; i < layers_.size(); ++i)
      settleLayer(layers_[fromLeft ? i : layers_.size() - 1 - i]);
  }

  double wish(const LayerSlot& slot) const {
    double sum = 0;
    for (std::size_t neighbour : slot.left)
      sum += slots_[neighbour].middle;
    for (std::size_t neighbour : slot.right)
      sum += slots_[neighbour].middle;
    auto count = static_cast<double>(slot.left.size() + slot.right.size());
    return count == 0 ? slot.middle : sum / count;
  }

  void settleLayer(const std::vector<std::size_t>& layer) {
    struct Block {
      double sum = 0, count = 0;
      double at() const { return sum / count; }
    };
    // With every slot's offset in a full stack taken off, "must not overlap" is "must not
    // decrease".
    std::vector<double> offsets;
    std::vector<Block> blocks;
    std::vector<std::size_t> sizes;
    double top = 0;
    for (std::size_t slot : layer) {
      const LayerSlot& row = slots_[slot];
      offsets.push_back(top + row.height / 2);
      top += row.height + nodeGap;
      blocks.push_back({wish(row) - offsets.back(), 1});
      sizes.push_back(1);
      while (blocks.size() > 1 && blocks[blocks.size() - 2].at() > blocks.back().at()) {
        Block last = blocks.back();
        std::size_t size = sizes.back();
        blocks.pop_back();
        sizes.pop_back();
        blocks.back().sum += last.sum;
        blocks.back().count += last.count;
        sizes.back() += size;
      }
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (std::size_t k = 0; k < sizes[i]; ++k, ++next)
        slots_[layer[next]].middle = blocks[i].at() + offsets[next];
  }

  void write() {
    double top = slots_.front().middle;
    for (const LayerSlot& slot : slots_)
      top = std::min(top, slot.middle - slot.height / 2);
    std::vector<double> lefts;
    double x = 0;
    for (const auto& layer : layers_) {
      lefts.push_back(x);
      double width = 0;
      for (std::size_t slot : layer)
        width = std::max(width, slots_[slot].width);
      widths_.push_back(width);
      x += width + layerGap;
    }
    out_.width = x - layerGap;
    for (LayerSlot& slot : slots_) {
      slot.middle -= top;
      out_.height = std::max(out_.height, slot.middle + slot.height / 2);
    }
    for (std::size_t i = 0; i < out_.nodes.size(); ++i) {
      LayerNode& node = out_.nodes[i];
      node.width = widths_[node.layer]; // boxes of a column align on both sides
      node.x = lefts[node.layer];
      node.y = slots_[i].middle - node.height / 2;
    }
    for (std::size_t i = 0; i < ways_.size(); ++i)
      for (std::size_t k = 0; k < ways_[i].size(); ++k)
        addBends(out_.wires[i], slots_[ways_[i][k]], lefts, k > 0, k + 1 < ways_[i].size());
  }

  /// A lane crosses the whole of its layer, so that the wire meets no box.
  void addBends(Wire& wire, const LayerSlot& slot, const std::vector<double>& lefts, bool enters,
                bool leaves) const {
    if (enters)
      wire.bends.push_back({lefts[slot.layer], slot.middle});
    if (leaves)
      wire.bends.push_back({lefts[slot.layer] + widths_[slot.layer], slot.middle});
  }

  Layout out_;
  std::vector<LayerSlot> slots_; // the nodes first
  std::vector<std::vector<std::size_t>> layers_;
  std::vector<std::vector<std::size_t>> ways_; // of the wires, by slots
  std::vector<double> widths_;
};

} // namespace

Layout layOut(std::vector<LayerNode> nodes, std::vector<Wire> wires) {
  return Layering(std::move(nodes), std::move(wires)).take();
}

} // namespace tikc::explain
