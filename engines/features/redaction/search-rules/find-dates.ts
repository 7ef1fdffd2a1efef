import type { Match } from '../matching/match'

/**
 * Months in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian and
 * Finnish.
 */
const MONTHS = [
  'jan(?:uary|uar|uari|vier|v|eiro)?|jän(?:ner)?|januar|gen(?:naio)?|ene(?:ro)?|stycznia|sty|tammikuuta',
  'feb(?:ruary|ruar|ruari|rero|braio)?|févr(?:ier)?|fév|fevereiro|fev|lutego|helmikuuta',
  'mar(?:ch|s|zo|zec|ço|ca)?|märz|mär|maart|mrt|maaliskuuta',
  'apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|kwietnia|kwi|huhtikuuta',
  'may|mai|maj|mayo|maggio|mag|maio|mei|maja|toukokuuta',
  'jun(?:e|i|io|ho)?|juin|giu(?:gno)?|czerwca|cze|kesäkuuta',
  'jul(?:y|i|io|ho)?|juil(?:let)?|lug(?:lio)?|lipca|lip|heinäkuuta',
  'aug(?:ust|usti|ustus)?|août|ago(?:sto)?|sierpnia|sie|elokuuta',
  'sep(?:tember|tembre|tiembre|t)?|set(?:tembre|embro)?|września|wrz|syyskuuta',
  'oct(?:ober|obre|ubre)?|okt(?:ober|over)?|ott(?:obre)?|out(?:ubro)?|października|paź|lokakuuta',
  'nov(?:ember|embre|iembre|embro)?|listopada|lis|marraskuuta',
  'dec(?:ember|embre)?|déc(?:embre)?|dez(?:ember|embro)?|des(?:ember)?|dic(?:iembre|embre)?|grudnia|gru|joulukuuta',
].join('|')

const BEFORE = String.raw`(?<![\p{L}\p{N}]|\d[.,:/-])`
const BEHIND = String.raw`(?![\p{L}\p{N}]|[.,:/-]\d)`
const SPACE = String.raw`[ \n]`
const TIME = String.raw`\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?(?:[ \n]?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?`

/** Matches dates. Every repetition is bounded. */
const DATES = new RegExp(
  [
    String.raw`${BEFORE}\d{4}([-./])\d{1,2}\1\d{1,2}(?:(?:T|,?${SPACE})${TIME})?${BEHIND}`,
    String.raw`${BEFORE}\d{1,2}([-./])[ \n]?\d{1,2}\2[ \n]?(?:\d{4}|\d{2})${BEHIND}`,
    String.raw`(?<!\d )${BEFORE}\d{2} \d{2} (?:19|20)\d{2}(?! \d)${BEHIND}`,
    String.raw`${BEFORE}\d{4}[年년][ \n]?\d{1,2}[月월][ \n]?\d{1,2}[日일]`,
    String.raw`${BEFORE}\d{1,2}(?:st|nd|rd|th|\.|er|º|°)?(?:${SPACE}|-|\.)?(?:(?:day${SPACE})?of${SPACE}|de${SPACE}|d')?(?:${MONTHS})\.?,?(?:${SPACE}|-|\.)?(?:de[l]?${SPACE})?(?:\d{4}|(?<=-)\d{2})${BEHIND}`,
    String.raw`${BEFORE}(?:${MONTHS})\.?(?:${SPACE}|-)\d{1,2}(?:st|nd|rd|th)?(?:,?${SPACE}|-)\d{4}${BEHIND}`,
    String.raw`${BEFORE}\d{4}-(?:${MONTHS})-\d{1,2}${BEHIND}`,
  ].join('|'),
  'giu',
)

/** Words that mark the number after them as a version or a section. */
const VERSION =
  /(?:\bv|version|release|build|rev|firmware|section|§|clause|chapter|kapitel|abschnitt|ver)[ .:\n]{0,2}$/iu

/** Finds dates in figures, ISO 8601 dates with a time, and dates with month names. Days and months must exist. */
export function findDates(text: string): Match[] {
  return [...text.matchAll(DATES)].flatMap(({ 0: found, index }) => {
    return isDate(found) && !VERSION.test(text.slice(Math.max(0, index - 12), index))
      ? [{ start: index, end: index + found.length }]
      : []
  })
}

/** Returns whether day and month exist, in either order, and the year is plausible. */
function isDate(text: string): boolean {
  const numbers = (text.match(/\d+/g) ?? []).slice(0, 3).map(Number)
  if (/\p{L}{3}/u.test(text)) return numbers.some(number => number >= 1 && number <= 31)
  // With a two-digit year, day and month must have two digits too, unless slashes separate them.
  if (/^\d{1,2}([.-]) ?\d{1,2}\1 ?\d{2}$/.test(text) && !/^\d{2}([.-]) ?\d{2}\1/.test(text)) return false
  const [one = 0, two = 0, three = 0] = numbers
  const isYearFirst = one > 31
  const [first, second, year] = isYearFirst ? [two, three, one] : [one, two, three]
  if (year > 99 && (year < 1200 || year > 2199)) return false
  // The month comes second, or first in American dates.
  return (
    (first >= 1 && first <= 31 && second >= 1 && second <= 12) ||
    (first >= 1 && first <= 12 && second >= 1 && second <= 31)
  )
}
