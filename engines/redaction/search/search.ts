import { EngineError } from '../../errors'
import type { Problem } from '../../errors'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import { hasAppearance } from '../../pdf-core/content/appearance'
import type { PdfDocument } from '../../pdf-core/document/document'
import { flatten } from '../../pdf-core/annotations/flatten'
import { reopenDocument } from '../../pdf-core/pages/reopen'
import { resolvePageSet } from '../../options/selectors'
import type { PageSelector } from '../../options/selectors'
import type { PageAreas } from '../areas/areas'
import { findOnPages } from './find-on-pages'
import { openPieces } from '../text/find-pieces'
import type { PieceFinder } from '../text/find-pieces'
import { findFuzzyText } from '../text/fuzzy-text'
import { openFinder } from '../rules/rules'
import type { AskedRule } from '../rules/rules'
import type { Match } from '../rules/presets'
import type { SearchText } from '../text/search-text'
import { redactStrings } from '../strings/document-strings'

/** A search rule as the options have it. */
export interface SearchRule extends AskedRule {
  pages?: PageSelector | undefined
  replacementText?: string | undefined
}

/** Places that all rules together may find: boxes of more would be no document any more. */
const MOST_PLACES = 100_000

/** Texts that a rule remembers. */
const MOST_TEXTS = 1000

/** A rule on its document. */
export class Rule {
  found = 0
  /** How many of those were recognized in pictures. */
  recognized = 0
  /** If places are counted; not while an output is verified. */
  isCounting = true
  readonly find: (text: SearchText) => Match[]
  readonly replacementText: string | undefined
  private readonly hasPieces: PieceFinder | undefined
  private readonly matched = new Set<string>()
  private readonly indexes: ReadonlySet<number> | undefined

  /** `param` is its place in the options. Throws EngineError `bad-options` for pages that are not there. */
  constructor(
    private readonly rule: SearchRule,
    readonly param: string,
    pageCount: number,
  ) {
    this.indexes = rule.pages === undefined ? undefined : resolvePageSet(rule.pages, pageCount, `${param}.pages`)
    this.find = openFinder(rule)
    this.hasPieces = rule.text === undefined ? undefined : openPieces(rule.text, rule.caseSensitive)
    this.replacementText = rule.replacementText || undefined
  }

  /** What it may mean in recognized text besides what `find` gives. */
  findLoosely(searched: SearchText): Match[] {
    const { text, caseSensitive, wholeWord } = this.rule
    return text === undefined ? [] : findFuzzyText(text, searched, { isExact: caseSensitive, wholeWord })
  }

  /**
   * Whether a text may hold it in pieces besides of the places that were found: lines of columns and cells may be drawn
   * in another order than they are read in.
   */
  mayBeBroken(searched: SearchText, foundCount: number): boolean {
    return this.hasPieces?.(searched, foundCount) ?? true
  }

  /** Whether it asks for a text, which is found across line ends and accents without other readings. */
  get isText(): boolean {
    return this.rule.text !== undefined
  }

  /** Units of the text that it asks for; 0 for other rules. */
  get length(): number {
    return this.rule.text?.length ?? 0
  }

  /** Whether it is for all of the document, bookmarks and properties too. */
  get isForAll(): boolean {
    return this.indexes === undefined
  }

  isOn(index: number): boolean {
    return this.indexes?.has(index) ?? true
  }

  /** Counts a place in a picture. Throws EngineError `too-large` as `count` does. */
  countRecognized(text: string): void {
    this.recognized++
    this.count(text)
  }

  /** What must not be in the file any more: the text that was asked for, or all that was found, at most 1,000. */
  get goneTexts(): { texts: Iterable<string>; isExact: boolean; wholeWord: boolean } {
    const { text, caseSensitive, wholeWord } = this.rule
    return text === undefined
      ? { texts: this.matched, isExact: true, wholeWord: true }
      : { texts: [text], isExact: caseSensitive, wholeWord }
  }

  /** Notes what stood at a place that is counted already, as another reading has it. */
  remember(text: string): void {
    if (this.isCounting && this.matched.size < MOST_TEXTS) this.matched.add(text)
  }

  /**
   * Counts a place, and what stood there; empty where that is known already. Throws EngineError `too-large` when there
   * are too many.
   */
  count(text: string): void {
    if (!this.isCounting) return
    this.remember(text)
    if (++this.found > MOST_PLACES)
      throw new EngineError(
        'too-large',
        `${this.param} matches more than ${MOST_PLACES.toLocaleString('en')} places; use a rule that finds less, ` +
          'or fewer pages.',
      )
  }
}

/** The rules of the options. Throws EngineError `bad-options` with all that name pages which are not there. */
export function openRules(rules: readonly SearchRule[], pageCount: number): Rule[] {
  const problems: Problem[] = []
  const opened = rules.flatMap((rule, index) => {
    try {
      return [new Rule(rule, `options.search[${index}]`, pageCount)]
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  if (problems[0]) throw new EngineError('bad-options', problems[0].message, { problems })
  return opened
}

/**
 * Finds what rules match: takes it out of form values, annotations, bookmarks and properties, and gives the areas of
 * the pages on which it can be read, also in what annotations and fields show. How often each rule matched is counted
 * at the rule. Throws EngineError `unreadable` when a page can't be read, `too-large` for too many matches.
 */
export async function search(document: PdfDocument, rules: readonly Rule[], paddingPt: number): Promise<PageAreas[]> {
  if (rules.length === 0) return []
  await redactStrings(document, rules)
  return findOnPages(drawAnnotations(document), rules, paddingPt)
}

/** The document as its pages look: what annotations and fields show is searched as text of the page, behind its own. */
export function drawAnnotations(document: PdfDocument): PdfDocument {
  const isDrawn = document.pages.some(page =>
    annotationsOf(document, page).some(value => {
      const annotation = document.peekDict(value)
      return annotation !== undefined && hasAppearance(document, annotation)
    }),
  )
  if (!isDrawn) return document
  const seen = reopenDocument(document)
  flatten(seen, { forms: true, annotations: true, view: 'all', keep: new Set(), links: false })
  return seen
}
