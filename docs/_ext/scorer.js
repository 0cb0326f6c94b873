/* Where pages match alike, those for users come before those for developers. Three words and more
   are taken for the text of an error. What is not a rank is as Sphinx has it. */
const words = (new URLSearchParams(window.location.search).get("q") ?? "").trim().split(/\s+/);
const RANKS = {
  errors: words.length > 2 ? 12 : 0,
  quickstart: 1,
  architecture: -3,
  changelog: -3,
  contributing: -3,
  performance: -3,
  releasing: -3,
  reliability: -3,
};

var Scorer = {
  score: ([page, , , , score]) => score + (RANKS[page] ?? 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
