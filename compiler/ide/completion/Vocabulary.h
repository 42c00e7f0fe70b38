#pragma once

#include "ide/completion/Item.h"
#include "metrics/Metrics.h"
#include "model/Quantity.h"

/// Rows of the tables as items.
namespace tikc::ide {

/// `name(…)`, with a gap for what it takes; the name alone where a bracket follows.
Item aggregateItem(const metrics::AggregateInfo& row, const Slot& slot);
Item absoluteItem(const Slot& slot);
Item metricItem(const metrics::MetricInfo& row, const Slot& slot);
Item claimItem(const metrics::ClaimInfo& row);
Item fieldItem(const metrics::FieldInfo& row);
Item callItem(const metrics::CallInfo& row, const Slot& slot);
Item unitItem(const model::UnitInfo& row);
/// A word of a closed or known list.
Item wordItem(model::Shape shape, std::string_view word);
/// `what` tells of what kind of thing it is the name.
Item nameItem(const std::string& name, std::string_view what);
Item keywordItem(std::string_view word, std::string_view meaning);
Item comparatorItem(std::string_view sign, std::string_view meaning);

} // namespace tikc::ide
