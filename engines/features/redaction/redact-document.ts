import { EngineError } from '../../errors'
import { resolveLanguages } from '../ocr/recognizer/languages'
import { hasEmbeddedFiles, removeEmbeddedFiles } from '../../pdf/metadata'
import { cleanStreams } from '../../pdf/clean-data'
import { DECODED_STREAMS, DecodedStreams } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import { openDocument } from '../../pdf/open'
import { saveDocument } from '../../pdf/save'
import { dropSignatures } from '../../pdf/forms'
import { KnownObjects } from '../../pdf/object-model'
import type { DroppedEntries } from '../../pdf/object-model'
import { cleanFonts, describeFont, findPagesWith, recordFonts, rebuildFonts } from '../../pdf/fonts'
import type { FontsBefore } from '../../pdf/fonts'
import type { EngineLimits } from '../../types'
import { emptyPage, joinPageAreas, resolveAreas } from './areas/areas'
import type { AskedArea, PageAreas } from './areas/areas'
import { areAttachmentsClean } from './residue/attached-files'
import { BarcodeSearch } from './barcodes/barcode-search'
import { clearResidue } from './residue/clear-residue'
import { hasDataResidue } from './residue/data-residue'
import { RemovedTerms } from './residue/removed-terms'
import { removeCopies } from './residue/page-copies'
import { removeAllImages } from './areas/remove-images'
import { ImageClearing } from './images/clear-images'
import type { OpenReader } from './images/clear-images'
import { ImageSearch } from './recognized/image-search'
import { rasterizePages, redactAreas } from './redact-pages'
import type { Redaction } from './redact-pages'
import { repeatReplacements } from './areas/repeat-replacements'
import { positionsOf } from './search/match-list'
import { search } from './search/search'
import { openRules } from './search-rules/rule'
import type { Rule, SearchRule } from './search-rules/rule'
import { findScannedPages } from './meaning/scanned-pages'
import { findUnsearchablePages } from './meaning/unsearchable-text'
import { UNCHECKED_REASONS } from './unchecked-reasons'
import type { Unchecked } from './unchecked-reasons'
import { verifyOutput } from './verify/verify'
import { rewritePackets } from './xml/xmp-packets'

/** Maximum number of times that content is redacted again because verification finds it in the output. */
const MOST_ROUNDS = 3

/** Maximum number of pages that become raster images because one of their fonts can't be rebuilt. */
const MOST_FONT_PAGES = 20

/** What to redact, and how: the options of the tool, with defaults filled in. */
export interface RedactionRequest {
  areas: readonly AskedArea[]
  search: readonly SearchRule[]
  ocr: boolean
  languages: readonly string[]
  barcodes: boolean
  onNoMatch: 'ok' | 'error'
  look: Redaction['look']
  /** Padding that is added on each side of an area, in points. */
  paddingPt: number
  images: 'overlap' | 'remove' | 'all'
  rasterize: Redaction['rasterize']
  hideWidths: boolean
  attachments: 'keep' | 'remove'
  keepUnknown: boolean
  requireVerified: boolean
}

/** The result of a redaction. */
export interface RedactedDocument {
  bytes: Uint8Array
  /** Areas, matches and images that were removed. */
  applied: number
  rules: readonly Rule[]
  pages: readonly PageAreas[]
  /** Positions, from 0, of the pages that became raster images. */
  rasterized: ReadonlySet<number>
  /** What could not be checked. The redaction is verified if this list is empty. */
  unchecked: readonly Unchecked[]
  /** Positions, from 0, of the pages with requested areas that have text outside the page as displayed. */
  outside: ReadonlySet<number>
  /** The entries that the PDF standard doesn't define and that were dropped. */
  droppedEntries: DroppedEntries
}

/**
 * Redacts a document. First finds the matches of the rules, removes them and all content under areas, and draws the
 * boxes. Then removes other occurrences of the removed terms, and rebuilds the fonts. Finally writes the output, opens
 * it again, and verifies it. Content that verification finds is redacted again. As a last resort, its page is
 * rasterized.
 *
 * Throws EngineError `options_invalid` for pages that don't exist, areas outside their page, and replacement texts that
 * can't be drawn. If `onNoMatch` is `error`, rules without a match throw it too. Throws `not_verified` if content is
 * still readable in the end, or if `requireVerified` is set and something could not be checked. Throws `too_large` and
 * `timed_out` if a limit is reached.
 */
export async function redactDocument(
  document: PdfDocument,
  request: RedactionRequest,
  limits: EngineLimits,
): Promise<RedactedDocument> {
  const work = new DocumentRedaction(document, request, limits)
  await work.find()
  for (let round = 0; ; round++) {
    await work.remove()
    const bytes = saveDocument(document).join()
    if (await work.verify(bytes, round === MOST_ROUNDS)) return work.finish(bytes)
  }
}

/**
 * Checks with the rules of a request whether a file, which it doesn't change, has nothing left to redact. Returns what
 * couldn't be checked. Throws EngineError `not_verified` if a rule matches, and like text recognition.
 */
export async function checkAgain(
  bytes: Uint8Array,
  request: RedactionRequest,
  limits: EngineLimits,
): Promise<readonly Unchecked[]> {
  return new DocumentRedaction(openDocument(bytes, limits), request, limits).check(bytes)
}

class DocumentRedaction {
  private readonly requestedAreas: PageAreas[]
  private readonly rules: Rule[]
  private readonly imageSearch: ImageSearch | undefined
  private readonly barcodeSearch: BarcodeSearch | undefined
  private readonly imageClearing: ImageClearing | undefined
  private readonly fonts: FontsBefore
  private readonly redaction: Redaction
  private readonly unchecked: Unchecked[] = []
  private outside: number[] = []
  private readonly rasterized = new Set<number>()
  /** All areas of the document that are already redacted. */
  private pages: PageAreas[] = []
  /** Areas that the next call to `remove` redacts. */
  private pending: PageAreas[] = []
  /** Pages on which verification found content. The next call to `remove` rasterizes them. */
  private leaking: PageAreas[] = []
  private dropped = 0
  private droppedEntries: DroppedEntries = new Map()

  constructor(
    private readonly document: PdfDocument,
    private readonly request: RedactionRequest,
    limits: EngineLimits,
  ) {
    document.facts.set(DECODED_STREAMS, new DecodedStreams())
    const {
      areas,
      search: searchRules,
      ocr,
      languages,
      barcodes,
      look,
      paddingPt,
      images,
      rasterize,
      hideWidths,
    } = request
    this.requestedAreas = resolveAreas(document, areas, paddingPt)
    this.rules = openRules(searchRules, document.pageCount)
    this.redaction = { look, images: images === 'all' ? 'remove' : images, rasterize, hideWidths }
    const readers: OpenReader[] = []
    if (ocr) {
      const recognition = {
        languages: resolveLanguages([...languages], 'options.languages'),
        pageLimitMs: limits.ocrPageTimeoutMs,
        paddingPt,
      }
      this.imageSearch = new ImageSearch(this.rules, recognition)
      readers.push(isOn => new ImageSearch(this.rules, recognition, isOn))
    }
    if (barcodes) {
      this.barcodeSearch = new BarcodeSearch(this.rules, paddingPt)
      readers.push(isOn => new BarcodeSearch(this.rules, paddingPt, isOn))
    }
    if (readers.length > 0) this.imageClearing = new ImageClearing(document, this.rules, this.redaction.images, readers)
    this.fonts = recordFonts(document)
  }

  /**
   * Finds the content to remove from pages. Removes attachments, signatures, what the PDF standard doesn't define and, if
   * requested, all images.
   */
  async find(): Promise<void> {
    const { document, request, rules, requestedAreas } = this
    if (!request.keepUnknown)
      this.droppedEntries = new KnownObjects(document, {
        files: request.attachments === 'remove' ? 'unknown' : 'known',
      }).dropUnknown()
    this.takeAttachments()
    if ((await cleanStreams(document)).length > 0) this.record([{ reason: 'stream' }])
    cleanFonts(document, this.fonts)
    if (request.images === 'all') this.dropped = await removeAllImages(document)
    const found = await search(document, rules, request.paddingPt)
    rewritePackets(document, rules)
    dropSignatures(document)
    const unsearchable = await this.findUnsearchable()
    const recognized = (await this.imageSearch?.find(document, [...requestedAreas, ...found], unsearchable)) ?? []
    const codes = await this.findBarcodes()
    await this.imageClearing?.clearAll([...recognized, ...codes])
    this.pending = joinPageAreas(
      document,
      [...requestedAreas, ...found, ...recognized, ...codes],
      request.rasterize === 'all',
    )
    const { words, unchecked } = await removeCopies(document, requestedAreas)
    this.record(unchecked)
    if (hasDataResidue(document, new RemovedTerms(words))) this.record([{ reason: 'data' }])
    const rulesWithoutMatch = rules.filter(rule => rule.found === 0)
    if (rulesWithoutMatch.length > 0) document.warnings.add('redaction-no-match')
  }

  private async findBarcodes(): Promise<PageAreas[]> {
    const { found, unread } = (await this.barcodeSearch?.find(this.document)) ?? { found: [], unread: [] }
    if (unread.length > 0) this.record([{ reason: 'barcodes', pages: unread }])
    return found
  }

  /**
   * Returns the pages with text that no rule can find. Without text recognition, these pages stay unchecked, and scans
   * too.
   */
  private async findUnsearchable(): Promise<ReadonlySet<number>> {
    const { document, rules } = this
    const indexes = document.pages.flatMap((_, index) => (rules.some(rule => rule.isOn(index)) ? [index] : []))
    const found = findUnsearchablePages(document, indexes)
    if (this.imageSearch) return found
    const pages = positionsOf([...found, ...(await findScannedPages(document, indexes))])
    if (pages.length > 0) {
      document.warnings.add('text-not-searchable')
      this.record([{ reason: 'text-not-searchable', pages }])
    }
    return found
  }

  /** Redacts the pending areas, removes other occurrences of the removed terms, and rebuilds the fonts. */
  async remove(): Promise<void> {
    const { document, rules, redaction } = this
    const changesContent = this.pending.length > 0 || this.leaking.length > 0 || rules.some(rule => rule.found > 0)
    if (changesContent) document.saving.addedFeatures.addUnchecked()
    if (redaction.look.repeatText) await repeatReplacements(this.pending, redaction.look)
    for (const index of await redactAreas(document, this.pending, redaction)) this.rasterized.add(index)
    this.pages = joinPageAreas(document, [...this.pages, ...this.pending], false)
    if (this.leaking.length > 0) await this.rasterize(this.leaking)
    await this.imageClearing?.clearRest()
    this.record(await clearResidue(document, rules))
    await this.rebuildFonts()
  }

  /**
   * Checks the output. Returns `true` if it finds nothing. Otherwise the next call to `remove` redacts what it found.
   * Throws EngineError `not_verified` if it finds something in the last round.
   */
  async verify(bytes: Uint8Array, isLast: boolean): Promise<boolean> {
    const { document, rules, redaction, request, rasterized } = this
    const output = openDocument(bytes, { ...document.limits, maxObjects: Infinity })
    output.facts.set(DECODED_STREAMS, new DecodedStreams())
    const found = await verifyOutput(output, {
      pages: this.pages,
      rules,
      look: redaction.look,
      paddingPt: request.paddingPt,
    })
    const readable = found.leaks.length > 0 ? [] : ((await this.imageSearch?.findLeft(output, this.pages)) ?? [])
    const codes = found.leaks.length > 0 ? [] : ((await this.findCodesLeft(output)) ?? [])
    this.pending = joinPageAreas(document, [...found.matches, ...readable, ...codes], false)
    this.leaking = this.pages.filter(({ index }) => found.leaks.some(leak => leak.index === index))
    const stuck =
      this.leaking.find(({ index }) => rasterized.has(index)) ??
      (isLast ? [...this.leaking, ...this.pending][0] : undefined)
    if (stuck) throw leftOver(stuck)
    if (this.leaking.length > 0 || this.pending.length > 0) return false
    this.record([...found.unchecked, ...(this.imageClearing?.unchecked ?? [])])
    this.outside = this.requestedAreas.map(({ index }) => index).filter(index => found.outside.has(index))
    if (this.outside.length > 0) document.warnings.add('text-outside-page')
    for (const warning of output.warnings) document.warnings.add(warning)
    if (rules.some(rule => rule.isForAll && !rule.isText && rule.hasForgotten)) this.record([{ reason: 'data' }])
    if (document.warnings.has('ocr-low-confidence')) this.record([{ reason: 'ocr-low-confidence' }])
    const known = new KnownObjects(output)
    if (known.findUnknown().size > 0) this.record([{ reason: 'unknown-data' }])
    if (rules.length > 0 && !areAttachmentsClean(output, known, rules)) this.record([{ reason: 'attachments' }])
    return true
  }

  /** Checks a file that was not redacted here. Returns what couldn't be checked, and throws like `verify`. */
  async check(bytes: Uint8Array): Promise<readonly Unchecked[]> {
    const unsearchable = await this.findUnsearchable()
    const recognized = (await this.imageSearch?.find(this.document, [], unsearchable)) ?? []
    const [readable] = [...recognized, ...(await this.findBarcodes())]
    if (readable) throw leftOver(readable)
    await this.verify(bytes, true)
    return this.unchecked
  }

  private async findCodesLeft(output: PdfDocument): Promise<PageAreas[] | undefined> {
    const { rules, barcodeSearch } = this
    for (const rule of rules) rule.isCounting = false
    const left = await barcodeSearch?.findLeft(output)
    for (const rule of rules) rule.isCounting = true
    return left
  }

  finish(bytes: Uint8Array): RedactedDocument {
    const { rules, requestedAreas, pages, rasterized, unchecked, outside, request, dropped, droppedEntries } = this
    const rulesWithoutMatch = rules.filter(rule => rule.found === 0)
    if (rulesWithoutMatch.length > 0 && request.onNoMatch === 'error') throw noMatch(rulesWithoutMatch)
    if (unchecked.length > 0 && request.requireVerified) throw notVerified(unchecked)
    const applied =
      requestedAreas.reduce((sum, page) => sum + page.areas.length, 0) +
      rules.reduce((sum, rule) => sum + rule.found, 0) +
      dropped
    return { bytes, applied, rules, pages, rasterized, unchecked, outside: new Set(outside), droppedEntries }
  }

  private takeAttachments(): void {
    const { document, request } = this
    if (request.attachments === 'remove') removeEmbeddedFiles(document)
    else if (hasEmbeddedFiles(document)) document.warnings.add('attachments-not-searched')
  }

  /**
   * Rebuilds the fonts without the glyphs of removed text. A font that can't be rebuilt still reveals which characters
   * were removed. The pages that show it become raster images if there are only a few.
   */
  private async rebuildFonts(): Promise<void> {
    const { document, fonts } = this
    let failed = rebuildFonts(document, fonts)
    if (failed.length === 0) return
    const indexes = findPagesWith(document, new Set(failed)).filter(index => !this.rasterized.has(index))
    if (indexes.length <= MOST_FONT_PAGES) {
      await this.rasterize(
        indexes.map(index => this.pages.find(page => page.index === index) ?? emptyPage(document, index)),
      )
      failed = rebuildFonts(document, fonts)
    }
    for (const font of failed)
      this.record([
        { reason: 'font', font: describeFont(document, font), pages: findPagesWith(document, new Set([font])) },
      ])
  }

  private async rasterize(pages: readonly PageAreas[]): Promise<void> {
    const { document, redaction, rasterized } = this
    document.warnings.add('page-rasterized')
    await rasterizePages(document, pages, redaction)
    for (const { index } of pages) rasterized.add(index)
  }

  private record(unchecked: readonly Unchecked[]): void {
    for (const one of unchecked)
      if (!this.unchecked.some(known => JSON.stringify(known) === JSON.stringify(one))) this.unchecked.push(one)
  }
}

function leftOver({ index }: PageAreas): EngineError {
  return new EngineError(
    'not_verified',
    `Page ${index + 1} could not be redacted: content that should be removed is still readable. Set ` +
      'options.rasterize to "all" to turn every page into an image.',
  )
}

function noMatch(rules: Rule[]): EngineError {
  const problems = rules.map(({ param }) => ({
    param,
    message:
      `${param} must match something in this document. It matches nothing. Remove the rule, or set options.onNoMatch ` +
      'to "ok".',
  }))
  return new EngineError('no_match', problems[0]?.message ?? '', { problems })
}

function notVerified(unchecked: readonly Unchecked[]): EngineError {
  const reasons = [...new Set(unchecked.map(({ reason }) => UNCHECKED_REASONS[reason]))]
  return new EngineError(
    'not_verified',
    `options.requireVerified is true, and the redaction can't be verified: ${reasons.join(' ')}`,
    { param: 'options.requireVerified' },
  )
}
