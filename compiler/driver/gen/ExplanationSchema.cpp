#include "driver/gen/Generators.h"

namespace tikc::driver::gen {

std::string explanationSchema() {
  return R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "urn:tikc:explanation:v1",
  "title": "What tikc explain FILE --format=json writes",
  "description": "Each claim of each contract with its verdict and its derivation. A number stands twice: exact, and as a decimal that is rounded to the side on which it stays true.",
  "type": "object",
  "required": ["format", "contracts"],
  "additionalProperties": false,
  "properties": {
    "format": { "const": "tikc-explanation/v1" },
    "contracts": { "type": "array", "items": { "$ref": "#/definitions/contract" } }
  },
  "definitions": {
    "amount": {
      "type": "object",
      "required": ["exact", "decimal"],
      "additionalProperties": false,
      "properties": {
        "exact": { "type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$", "description": "p/q in lowest terms, or p." },
        "decimal": { "type": "string", "pattern": "^-?[0-9]+([.][0-9]+)?(e-?[0-9]+)?$", "description": "20 digits." }
      }
    },
    "at": {
      "type": "object",
      "required": ["file", "line", "column"],
      "additionalProperties": false,
      "properties": {
        "file": { "type": "string" },
        "line": { "type": "integer", "minimum": 1 },
        "column": { "type": "integer", "minimum": 1, "description": "In Unicode characters." }
      }
    },
    "kind": { "enum": ["clause", "assumption", "fact", "default"] },
    "relation": { "enum": ["<", "<=", ">", ">=", "="] },
    "ground": {
      "description": "A part of the contract that something rests on.",
      "type": "object",
      "required": ["kind", "name", "text"],
      "additionalProperties": false,
      "properties": {
        "kind": { "$ref": "#/definitions/kind" },
        "name": { "type": "string", "description": "Of the clause or the key." },
        "text": { "type": "string", "description": "What it says." },
        "because": { "type": "string" },
        "at": { "$ref": "#/definitions/at" }
      }
    },
    "reach": {
      "description": "A number of the contract, and the largest with which the claim follows, all else as declared.",
      "type": "object",
      "required": ["kind", "name", "text", "declared", "any"],
      "additionalProperties": false,
      "properties": {
        "kind": { "$ref": "#/definitions/kind" },
        "name": { "type": "string" },
        "text": { "type": "string" },
        "because": { "type": "string" },
        "at": { "$ref": "#/definitions/at" },
        "declared": { "$ref": "#/definitions/amount" },
        "largest": { "$ref": "#/definitions/amount" },
        "any": { "type": "boolean", "description": "The claim follows at 1024 times the declared number, too. Where this is false and there is no largest, none is enough." }
      }
    },
    "step": {
      "type": "object",
      "required": ["id", "says", "meaning", "inputs", "premises", "folded"],
      "additionalProperties": false,
      "properties": {
        "id": { "type": "integer", "minimum": 0, "description": "Its place in the list of steps; 0 is the claim's own bound." },
        "says": { "type": "string" },
        "meaning": { "type": "string", "description": "Of the quantity." },
        "relation": { "$ref": "#/definitions/relation" },
        "bound": { "$ref": "#/definitions/amount" },
        "other_end": { "$ref": "#/definitions/amount", "description": "Of the enclosure of an irrational result; else the bound." },
        "lemma": { "type": "string" },
        "curve": { "type": "string", "description": "The lemma that a mean was carried through." },
        "rests_on": { "$ref": "#/definitions/ground" },
        "inputs": {
          "description": "The numbers that went into the lemma's formula.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["name", "value"],
            "additionalProperties": false,
            "properties": { "name": { "type": "string" }, "value": { "$ref": "#/definitions/amount" } }
          }
        },
        "premises": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["step", "times"],
            "additionalProperties": false,
            "properties": { "step": { "type": "integer", "minimum": 1 }, "times": { "type": "integer", "minimum": 1 } }
          }
        },
        "folded": {
          "description": "Steps above this one that changed no number, the last first.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["lemma", "from"],
            "additionalProperties": false,
            "properties": { "lemma": { "type": "string" }, "from": { "type": "string" } }
          }
        }
      }
    },
    "witness": {
      "description": "A population that keeps every clause and assumption and breaks the claim.",
      "type": "object",
      "required": ["steps", "copies", "kinds", "rows"],
      "additionalProperties": false,
      "properties": {
        "steps": { "type": "integer", "minimum": 1, "description": "Tokens of each response." },
        "copies": { "type": "array", "items": { "type": "integer", "minimum": 1 }, "description": "Tokens with the same logit." },
        "kinds": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["weight", "train", "infer"],
            "additionalProperties": false,
            "properties": {
              "weight": { "$ref": "#/definitions/amount" },
              "train": { "type": "array", "items": { "type": "string" } },
              "infer": { "type": "array", "items": { "type": "string" } }
            }
          }
        },
        "rows": {
          "description": "What was evaluated, and what had to hold; the claim, last, is what does not.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["what", "lower", "upper", "asked"],
            "additionalProperties": false,
            "properties": {
              "what": { "type": "string" },
              "lower": { "$ref": "#/definitions/amount" },
              "upper": { "$ref": "#/definitions/amount" },
              "asked": { "type": "string" }
            }
          }
        }
      }
    },
)"
         R"(    "weighed": {
      "type": "object",
      "required": ["way", "shown", "alpha", "statements"],
      "additionalProperties": false,
      "properties": {
        "way": { "enum": ["fixed", "anytime"], "description": "Whether numbers of observations were fixed beforehand, or looked at at any time." },
        "shown": { "type": "boolean" },
        "about": { "enum": ["contexts served", "population"], "description": "Of the bound: contexts served as soon as one statement is about those." },
        "bound": { "$ref": "#/definitions/amount", "description": "Absent where nothing follows." },
        "alpha": { "$ref": "#/definitions/amount", "description": "The probability that any statement is wrong, at most; each has an equal part." },
        "statements": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["clause", "observations", "unit", "about", "of", "value", "by"],
            "additionalProperties": false,
            "properties": {
              "clause": { "type": "string" },
              "slice": { "type": "string" },
              "observations": { "$ref": "#/definitions/amount" },
              "unit": { "enum": ["row", "token", "sequence", "response", "prompt"], "description": "What was counted; a response or a prompt where the counts say what is independent." },
              "about": { "enum": ["contexts served", "population"], "description": "Contexts that are not independent tell of those that were served only." },
              "of": { "enum": ["share", "mean"], "description": "Whether the value bounds the share that breaks the clause, or the mean." },
              "value": { "$ref": "#/definitions/amount" },
              "by": { "type": "string" }
            }
          }
        }
      }
    },
    "claim": {
      "description": "One comparison of a claim, on the slices where the same becomes of it.",
      "type": "object",
      "required": ["claim", "text", "at", "slices", "mixture", "verdict", "relation", "budget", "infeasible", "missing", "passed_over", "steps", "conditions", "tolerances"],
      "additionalProperties": false,
      "properties": {
        "claim": { "type": "string" },
        "text": { "type": "string" },
        "because": { "type": "string" },
        "at": { "$ref": "#/definitions/at" },
        "slices": { "type": "array", "items": { "type": "string" } },
        "mixture": { "type": "boolean", "description": "It is about the mixture of all slices." },
        "link": { "type": "string", "description": "The kernels that it compares, in a chain." },
        "verdict": { "enum": ["proved", "refuted", "unproved"] },
        "relation": { "$ref": "#/definitions/relation" },
        "budget": { "$ref": "#/definitions/amount" },
        "slack": { "$ref": "#/definitions/amount", "description": "The share of the budget that is left; negative where the bound breaks it." },
        "infeasible": { "type": "boolean", "description": "It does not follow even where no clause leaves any drift." },
        "missing": { "type": "array", "items": { "type": "string" } },
        "passed_over": { "type": "array", "items": { "type": "string" } },
        "witness": { "$ref": "#/definitions/witness" },
        "on_evidence": {
          "description": "With --evidence: the claim, derived again from what was observed.",
          "type": "array",
          "items": { "$ref": "#/definitions/weighed" }
        },
        "steps": { "type": "array", "items": { "$ref": "#/definitions/step" } },
        "conditions": { "type": "array", "items": { "$ref": "#/definitions/ground" } },
        "tolerances": { "type": "array", "items": { "$ref": "#/definitions/reach" } },
        "horizon": { "$ref": "#/definitions/reach" }
      }
    },
    "contract": {
      "type": "object",
      "required": ["contract", "draft", "file", "claims", "lemmas"],
      "additionalProperties": false,
      "properties": {
        "contract": { "type": "string" },
        "version": { "type": "string" },
        "draft": { "type": "boolean", "description": "Claims that are not proved are warnings." },
        "file": { "type": "string" },
        "observed": {
          "description": "What --evidence states.",
          "type": "object",
          "required": ["tokens", "violations", "windows", "confidence"],
          "additionalProperties": false,
          "properties": {
            "tokens": { "$ref": "#/definitions/amount" },
            "sequences": { "$ref": "#/definitions/amount" },
            "prompts": { "$ref": "#/definitions/amount" },
            "violations": { "$ref": "#/definitions/amount" },
            "windows": { "$ref": "#/definitions/amount" },
            "confidence": { "$ref": "#/definitions/amount" }
          }
        },
        "claims": { "type": "array", "items": { "$ref": "#/definitions/claim" } },
        "lemmas": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["id", "statement", "hypotheses", "formula"],
            "additionalProperties": false,
            "properties": {
              "id": { "type": "string" },
              "statement": { "type": "string" },
              "hypotheses": { "type": "string" },
              "formula": { "type": "string" }
            }
          }
        }
      }
    }
  }
}
)";
}

} // namespace tikc::driver::gen
