#pragma once

#include "ide/completion/Item.h"
#include "model/Amount.h"
#include "model/Metrics.h"

/// Rows of the tables as completion items.
namespace tikc::ide {

/// Returns `name(…)` with a gap for the argument; the name alone if a bracket follows.
CompletionItem aggregateItem(const model::AggregateInfo& row, const WordSlot& slot);
CompletionItem absoluteItem(const WordSlot& slot);
CompletionItem metricItem(const model::MetricInfo& row, const WordSlot& slot);
CompletionItem claimItem(const model::ClaimInfo& row);
CompletionItem fieldItem(const model::FieldInfo& row);
CompletionItem callItem(const model::CallInfo& row, const WordSlot& slot);
CompletionItem unitItem(const model::UnitInfo& row);
/// Returns a word of a closed or known list.
CompletionItem wordItem(model::Shape shape, std::string_view word);
/// `what` is the kind of the named thing.
CompletionItem nameItem(const std::string& name, std::string_view what);
CompletionItem keywordItem(std::string_view word, std::string_view meaning);
CompletionItem comparatorItem(std::string_view sign, std::string_view meaning);

} // namespace tikc::ide
