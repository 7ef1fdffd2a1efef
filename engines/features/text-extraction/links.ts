import { annotationsOf, isShown, subtypeOf, urlsOf } from '../../pdf/annotations'
import type { Box, Frame } from '../../pdf/geometry'
import { mapBox, readBox, seenMatrix } from '../../pdf/geometry'
import * as Name from '../../pdf/names'
import type { Page, PdfDocument } from '../../pdf/document'
import { areaOn } from './figures'
import type { Link, Sheet, Word } from './lines/model'

/** Only these many links of a page are read, and only URLs up to this length. */
const MAX_LINKS = 5000
const MAX_URL = 2000

/** Words and links of a document are compared this often at most. */
const MAX_COMPARISONS = 300_000_000

/** Maximum length of all URLs of a document together, once for each link and each word below it. */
const MAX_CHARACTERS = 50_000_000

/** Schemes of links that are written. Others, such as `javascript`, may do harm. */
const SAFE = /^(https?|ftp|mailto|tel):./i

/** Punctuation that a link doesn't contain may be in the same word. */
const BEFORE = /^[([{"'“‘«„]+/u
const AFTER = /[)\]}"'”’».,;:!?…]+$/u

/** A link annotation on a page. */
export interface PageLink {
  link: Link
  /** Its rectangle in default user space. */
  box: Box
}

/** Reads the links of a document, and marks the words that they cover. */
export class Links {
  private comparisons = 0
  private charactersLeft = MAX_CHARACTERS

  constructor(private readonly document: PdfDocument) {}

  /** Reads the link annotations of a page (ISO 32000-2, 12.5.6.5) that open a URL with a safe scheme. */
  read(page: Page, frame: Frame): PageLink[] {
    const { document } = this
    const links: PageLink[] = []
    for (const annotation of annotationsOf(document, page)) {
      if (links.length >= MAX_LINKS) break
      const dict = document.peekDict(annotation)
      if (!dict || subtypeOf(document, dict) !== 'Link' || !isShown(document, annotation, 'screen')) continue
      const [first] = urlsOf(document, dict)
      const url = first?.trim() ?? ''
      const box = readBox(document, dict.get(Name.Rect))
      if (!box || url.length > Math.min(MAX_URL, this.charactersLeft) || !SAFE.test(url)) continue
      this.charactersLeft -= url.length
      links.push({ link: { url, box: mapBox(seenMatrix(frame), box) }, box })
    }
    return links
  }

  /** Marks the words of sheets of a page that lie under its links. Words under several links belong to the first one. */
  mark(sheets: readonly Sheet[], links: readonly PageLink[], frame: Frame): void {
    for (const sheet of sheets)
      for (const { link, box } of links) {
        this.comparisons += sheet.words.length
        if (this.comparisons > MAX_COMPARISONS) return
        const { left, right, top, bottom } = areaOn(sheet, box, frame)
        for (const word of sheet.words) {
          const middle = (word.top + word.bottom) / 2
          if (word.link || middle < top || middle > bottom) continue
          const shared = Math.min(word.right, right) - Math.max(word.left, left)
          if (shared <= 0.5 * (word.right - word.left) || this.charactersLeft < link.url.length) continue
          this.charactersLeft -= link.url.length
          Object.assign(word, { link, ...trim(word, { left, right }) })
        }
      }
  }
}

/** How many characters of punctuation at the start and the end of a word are outside of a link. */
function trim(word: Word, link: { left: number; right: number }): Pick<Word, 'linkStart' | 'linkEnd'> {
  const { text, left, right } = word
  const width = (right - left) / Math.max(1, text.length)
  const [before, after] = [BEFORE.exec(text)?.[0].length ?? 0, AFTER.exec(text)?.[0].length ?? 0]
  const [sparesLeft, sparesRight] = [
    Math.round((link.left - left) / width + 0.2),
    Math.round((right - link.right) / width + 0.2),
  ]
  const [first, last] = word.isRightToLeft ? [sparesRight, sparesLeft] : [sparesLeft, sparesRight]
  const linkStart = Math.max(0, Math.min(before, first))
  const linkEnd = text.length - Math.max(0, Math.min(after, last))
  return linkStart < linkEnd ? { linkStart, linkEnd } : { linkStart: 0, linkEnd: text.length }
}
