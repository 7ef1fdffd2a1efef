import { EngineError } from '../../../errors'
import type { Problem } from '../../../errors'
import { resolvePageSet } from '../../../options/selectors'
import type { PageSelector } from '../../../options/selectors'
import { openPieces } from '../matching/find-pieces'
import type { PieceFinder } from '../matching/find-pieces'
import { findFuzzyText } from '../matching/fuzzy-text'
import type { Match } from '../matching/match'
import { composeText } from '../matching/search-text'
import type { SearchText } from '../matching/search-text'
import { openFinder, regexProblem } from './rules'
import type { AskedRule } from './rules'

/** A search rule of the options. */
export interface SearchRule extends AskedRule {
  pages?: PageSelector | undefined
  replacementText?: string | undefined
}

/** Maximum number of matches of one rule. */
const MOST_PLACES = 100_000

/** Maximum number of different matched texts that a rule remembers. */
const MOST_TEXTS = 10_000

/** A rule that is applied to a document, and its number of matches. */
export class Rule {
  found = 0
  /** The number of matches that were recognized in images. */
  recognized = 0
  /** The number of matches in barcodes and QR codes. */
  inBarcodes = 0
  /** Whether matches are counted. `false` while an output is verified. */
  isCounting = true
  /** Whether there were too many matched texts to remember all of them. */
  hasForgotten = false
  readonly find: (text: SearchText) => Match[]
  readonly replacementText: string | undefined
  private readonly hasPieces: PieceFinder | undefined
  private readonly matched = new Set<string>()
  private readonly indexes: ReadonlySet<number> | undefined

  /**
   * `param` is the path of the rule in the options. Throws EngineError `options_invalid` for pages that don't exist, and for
   * an invalid regular expression. Its compilation can take long, so that only engine processes do it.
   */
  constructor(
    private readonly rule: SearchRule,
    readonly param: string,
    pageCount: number,
  ) {
    this.indexes = rule.pages === undefined ? undefined : resolvePageSet(rule.pages, pageCount, `${param}.pages`)
    assertRegex(rule, `${param}.regex`)
    this.find = openFinder(rule)
    this.hasPieces = rule.text === undefined ? undefined : openPieces(rule.text, rule.caseSensitive)
    this.replacementText = rule.replacementText || undefined
  }

  /** Returns additional matches in recognized text, which may contain recognition errors. */
  findLoosely(searched: SearchText): Match[] {
    const { text, caseSensitive, wholeWord } = this.rule
    return text === undefined ? [] : findFuzzyText(text, searched, { isExact: caseSensitive, wholeWord })
  }

  /**
   * Returns whether a text may contain pieces of the rule's text in addition to the complete matches. The file may draw
   * the lines of columns and cells in another order than the reading order.
   */
  mayBeBroken(searched: SearchText, foundCount: number): boolean {
    return this.hasPieces?.(searched, foundCount) ?? true
  }

  /** Whether the rule has `text`. Such rules handle line ends and accents themselves, without variant readings. */
  get isText(): boolean {
    return this.rule.text !== undefined
  }

  /** Whether the rule has a `text` with characters beyond ASCII, which legacy encodings write differently. */
  get isForeign(): boolean {
    return this.rule.text !== undefined && /[^\0-\x7f]/.test(this.rule.text)
  }

  /** Whether the rule matches its own replacement text. */
  get replacesWithMatch(): boolean {
    const { replacementText } = this
    return replacementText !== undefined && this.find(composeText(Array.from(replacementText))).length > 0
  }

  /** The length of the rule's `text` in UTF-16 units. 0 for other rules. */
  get length(): number {
    return this.rule.text?.length ?? 0
  }

  /** Whether the rule has no `pages` and therefore covers the whole document, including bookmarks and properties. */
  get isForAll(): boolean {
    return this.indexes === undefined
  }

  isOn(index: number): boolean {
    return this.indexes?.has(index) ?? true
  }

  /** Counts a match in an image. Throws EngineError `too_large` like `count`. */
  countRecognized(text: string): void {
    this.recognized++
    this.count(text)
  }

  /** The texts that the output must not contain: the rule's `text`, or up to 10,000 matched texts. */
  get removedTexts(): { texts: Iterable<string>; isExact: boolean; wholeWord: boolean } {
    const { text, caseSensitive, wholeWord } = this.rule
    return text === undefined
      ? { texts: this.matched, isExact: true, wholeWord: true }
      : { texts: [text], isExact: caseSensitive, wholeWord }
  }

  /** Remembers the text of an already counted match, as another reading returns it. */
  remember(text: string): void {
    if (!this.isCounting || this.matched.has(text)) return
    if (this.matched.size < MOST_TEXTS) this.matched.add(text)
    else this.hasForgotten = true
  }

  /**
   * Counts a match and remembers its text. The text may be empty if it is already remembered. Throws EngineError
   * `too_large` if there are too many matches.
   */
  count(text: string): void {
    if (!this.isCounting) return
    this.remember(text)
    if (++this.found > MOST_PLACES)
      throw new EngineError(
        'too_large',
        `${this.param} must match at most ${MOST_PLACES.toLocaleString('en')} places. Use a more specific ` +
          'rule, or fewer pages.',
      )
  }
}

function assertRegex({ regex }: SearchRule, param: string): void {
  const message = regex === undefined ? undefined : regexProblem(regex)
  if (message !== undefined)
    throw new EngineError('options_invalid', `${param}: ${message}`, { problems: [{ param, message }] })
}

/** Maximum number of problems. */
const MOST_PROBLEMS = 20

/** Opens the rules of the options. Throws EngineError `options_invalid` that lists the rules that can't be opened. */
export function openRules(rules: readonly SearchRule[], pageCount: number): Rule[] {
  const problems: Problem[] = []
  const opened = rules.flatMap((rule, index) => {
    if (problems.length >= MOST_PROBLEMS) return []
    try {
      return [new Rule(rule, `options.search[${index}]`, pageCount)]
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  if (problems[0]) throw new EngineError('options_invalid', problems[0].message, { problems })
  return opened
}
