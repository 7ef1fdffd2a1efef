import { EngineError } from '../../../errors'
import type { PdfDocument } from '../../../pdf/document'
import { PageRenderer } from '../../ocr/page-renderer'
import { coversShare, emptyPage, makeArea } from '../areas/areas'
import type { PageAreas } from '../areas/areas'
import { cutMatches } from '../search-rules/cut-matches'
import { cutDecoded } from '../search-rules/encoded-text'
import type { Rule } from '../search-rules/rule'
import { boxesOfBarcode } from './barcode-boxes'
import { BarcodeReader } from './barcode-reader'
import type { Barcode } from './barcode-reader'

/** Maximum number of pages that one request may search, as for text recognition. */
const MOST_PAGES = 200

/** The resolution for barcodes, in DPI. Modules of a code are rarely smaller than 0.25 mm, or two pixels. */
const DPI = 216

/** Limit for one page or image, in milliseconds of processor time. */
const LIMIT_MS = 8000

/** The share of a box that an existing area must cover to count as the same code. */
const SAME_SHARE = 0.5

/** Finds barcodes and QR codes whose content matches rules, and later checks that they were removed. */
export class BarcodeSearch {
  readonly unreadReason = 'barcodes'
  /** Positions, from 0, of pages with removed codes. */
  private readonly pagesWithCodes = new Set<number>()

  constructor(
    private readonly rules: readonly Rule[],
    private readonly paddingPt: number,
    private readonly isOn = (rule: Rule, index: number): boolean => rule.isOn(index),
  ) {}

  /**
   * Returns areas over the codes on the pages of a document that match rules, and the positions of pages that couldn't be
   * read in time. Throws EngineError `too-large` for too many pages.
   */
  async find(document: PdfDocument): Promise<{ found: PageAreas[]; unread: number[] }> {
    const indexes = document.pages.flatMap((_, index) =>
      this.rules.some(rule => this.isOn(rule, index)) ? [index] : [],
    )
    if (indexes.length > MOST_PAGES)
      throw new EngineError(
        'too_large',
        `options.barcodes: must cover at most ${MOST_PAGES} pages. Got ${indexes.length.toLocaleString('en')}. ` +
          `Select fewer with "pages" of the rules, such as "1-${MOST_PAGES}".`,
        { param: 'options.barcodes' },
      )
    const result = await this.findOnSheets(document, indexes, [])
    for (const { index } of result.found) this.pagesWithCodes.add(index)
    return result
  }

  /** Searches the pages with removed codes again. Returns areas over codes that are still readable. */
  async findLeft(output: PdfDocument): Promise<PageAreas[]> {
    if (this.pagesWithCodes.size === 0) return []
    return (await this.findOnSheets(output, [...this.pagesWithCodes], [])).found
  }

  /** Like `find`, for pages at these positions (from 0). Codes at `known` places aren't counted again. */
  async findOnSheets(
    document: PdfDocument,
    indexes: readonly number[],
    known: readonly PageAreas[],
  ): Promise<{ found: PageAreas[]; unread: number[] }> {
    const [renderer, reader] = [new PageRenderer(document), new BarcodeReader()]
    const [found, unread]: [PageAreas[], number[]] = [[], []]
    try {
      for (const index of indexes) {
        const page = await this.readPage({ document, renderer, reader }, index, known)
        if (!page) unread.push(index)
        else if (page.areas.length > 0) found.push(page)
      }
    } finally {
      renderer.close()
      await reader.close()
    }
    return { found, unread }
  }

  /** Undefined if the page can't be read in time. */
  private async readPage(
    { document, renderer, reader }: { document: PdfDocument; renderer: PageRenderer; reader: BarcodeReader },
    index: number,
    known: readonly PageAreas[],
  ): Promise<PageAreas | undefined> {
    const drawn = await renderer.draw(index, { dpi: DPI, pageLimitMs: 2 * LIMIT_MS })
    if (!drawn) return undefined
    let codes: Barcode[]
    try {
      codes = await reader.read(drawn.image, LIMIT_MS)
    } catch (error) {
      if (error instanceof EngineError && error.reason === 'timed_out') return undefined
      throw error
    }
    const page = emptyPage(document, index)
    const knownBoxes = known.find(one => one.index === index)?.areas.flatMap(({ box }) => box ?? []) ?? []
    const points = 72 / drawn.dpi
    for (const group of joinSequences(codes)) {
      const boxes = group.codes
        .flatMap(code => boxesOfBarcode(drawn.image, code))
        .map(({ x, y, width, height }) => ({
          x: x * points,
          y: page.frame.height - (y + height) * points,
          width: width * points,
          height: height * points,
        }))
      const isKnown = boxes.every(box => knownBoxes.some(one => coversShare(one, box, SAME_SHARE)))
      // Each rule counts the code.
      const found = this.rules.filter(
        rule => this.isOn(rule, index) && group.texts.some(text => matches(rule, text, !isKnown)),
      )
      const [rule] = found
      if (!rule) continue
      const how = { paddingPt: this.paddingPt, param: `${rule.param}.replacementText` }
      for (const [position, box] of boxes.entries()) {
        const replacementText = position === 0 ? rule.replacementText : undefined
        page.areas.push(makeArea(page.frame, box, { ...how, replacementText }))
      }
    }
    return page
  }
}

/** Joins the texts of codes that say that they belong together. */
function joinSequences(codes: readonly Barcode[]): { codes: Barcode[]; texts: string[] }[] {
  const groups = new Map<string, Barcode[]>()
  for (const [position, code] of codes.entries()) {
    const key = code.sequence ? `sequence ${code.sequence.id}` : `${position}`
    groups.set(key, [...(groups.get(key) ?? []), code])
  }
  return [...groups.values()].map(members => {
    const ordered = members.sort((one, other) => (one.sequence?.index ?? 0) - (other.sequence?.index ?? 0))
    return { codes: ordered, texts: textsOf(ordered) }
  })
}

/** The content of codes. A UPC-A code is read as EAN-13 with a zero before its 12 digits (ISO/IEC 15420). */
function textsOf(codes: readonly Barcode[]): string[] {
  const text = codes.map(code => code.text).join('')
  return codes[0]?.format === 'EAN13' && text.startsWith('0') ? [text, text.slice(1)] : [text]
}

/** Returns whether a rule matches the content of a code, also in an encoding such as in URLs. */
function matches(rule: Rule, text: string, isCounted: boolean): boolean {
  const before = rule.found
  const isFound =
    cutMatches(text, [rule], { isCounted }) !== undefined || cutDecoded(text, [rule], { isCounted }) !== undefined
  rule.inBarcodes += rule.found - before
  return isFound
}
