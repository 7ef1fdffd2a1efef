import { PDFArray, PDFDict, PDFName, PDFNull, PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { EngineError } from '../../../errors'
import { rewriteInlineImages } from '../../../pdf/clean-data'
import { deflatedStream } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { boundsOf, chainMatrices, invertMatrix, mapCorners, overlap } from '../../../pdf/geometry'
import type { Bounds, Box } from '../../../pdf/geometry'
import { createEmptyImage } from '../../../pdf/images'
import * as Name from '../../../pdf/names'
import { ImageEraser, peekContent } from '../../../pdf/rewrite-content'
import { emptyPage } from '../areas/areas'
import type { PageAreas } from '../areas/areas'
import { RemoveAreas } from '../areas/remove-areas'
import type { ImageMode } from '../areas/remove-areas'
import type { Rule } from '../search-rules/rule'
import type { Unchecked } from '../unchecked-reasons'
import { listImages } from './document-images'
import type { DocumentImage, ImageUse } from './document-images'
import { ImageSheets } from './image-sheets'
import type { ImageSheet } from './image-sheets'
import { findShownImages } from './shown-images'

/** The least width and height of an image that may show text, in pixels. */
const LEAST_SIDE = 12

/** Maximum number of images that are read by themselves, and of their pixels as they are read. */
const MOST_IMAGES = 300
const MOST_PIXELS = 300_000_000

/** How often an image is cut because it can still be read. */
const MOST_CUTS = 2

/** Finds matches on pages that show one image each. */
export interface SheetReader {
  /** The reason to name if a page could not be read. */
  readonly unreadReason: Unchecked['reason']
  /**
   * Returns areas over the matches of rules, and the positions of pages that could not be read. `known` are the places
   * of matches that were counted before.
   */
  findOnSheets(
    sheets: PdfDocument,
    indexes: readonly number[],
    known: readonly PageAreas[],
  ): Promise<{ found: PageAreas[]; unread: readonly number[] }>
}

/** Makes a reader. `isOn` tells whether a rule covers the image on a page of the sheets. */
export type OpenReader = (isOn: (rule: Rule, index: number) => boolean) => SheetReader

/** An image with matches, as areas on sheets that show it. */
type ImageHits = ReadonlyMap<ImageSheet, PageAreas>

/**
 * Reads images by themselves and clears the pixels of matches. A rendered page doesn't show images that are covered,
 * cut off, hidden, tiny, unused or transparent. Images that a page shows as they are were read with the page.
 */
export class ImageClearing {
  readonly unchecked: Unchecked[] = []
  /** Hashes of images that were read with a page, and in which something was found there. */
  private readonly found = new Set<string>()

  constructor(
    private readonly document: PdfDocument,
    private readonly rules: readonly Rule[],
    private readonly mode: ImageMode,
    private readonly readers: readonly OpenReader[],
  ) {}

  /**
   * Clears all images that pages don't show as they are. `areas` are the matches that were found on rendered pages.
   * Throws EngineError `too-large` if content of the document nests too deep or repeats too often.
   */
  async clearAll(areas: readonly PageAreas[]): Promise<void> {
    const images = listImages(this.document, LEAST_SIDE)
    if (images.length === 0) return
    const shown = await findShownImages(this.document, images)
    for (const image of shown) if (image.uses.some(use => isUnder(use, areas))) this.found.add(image.hash)
    await this.clear(
      images.filter(image => !shown.has(image)),
      areas,
    )
  }

  /**
   * Clears images in which something was found on a page, and that are still in the document after this page was
   * redacted, because something else refers to them.
   */
  async clearRest(): Promise<void> {
    if (this.found.size === 0) return
    const rest = listImages(this.document, LEAST_SIDE).filter(({ hash }) => this.found.has(hash))
    for (const { hash } of rest) this.found.delete(hash)
    await this.clear(rest, [], false)
  }

  /** Only the first reading counts matches, if at all. */
  private async clear(images: readonly DocumentImage[], areas: readonly PageAreas[], isCounting = true): Promise<void> {
    let remaining = images
    for (let round = 0; remaining.length > 0; round++) {
      for (const rule of this.rules) rule.isCounting = isCounting && round === 0
      const hits = await this.read(remaining, round === 0 ? areas : [], round === 0)
      const cut: DocumentImage[] = []
      for (const [image, onSheets] of hits) {
        if (this.mode !== 'remove' && round < MOST_CUTS && (await this.cut(image, onSheets))) cut.push(image)
        else if (this.mode === 'remove' || image.uses.length === 0) this.remove(image)
        else this.record('images')
      }
      remaining = cut
    }
    for (const rule of this.rules) rule.isCounting = true
  }

  /** Returns the matches in images. */
  private async read(
    images: readonly DocumentImage[],
    areas: readonly PageAreas[],
    isFirst: boolean,
  ): Promise<Map<DocumentImage, ImageHits>> {
    const covered = images.filter(image => this.rules.some(rule => isOnImage(rule, image)))
    const sheets = ImageSheets.open(this.document)
    const added: ImageSheet[] = []
    let pixels = 0
    for (const image of covered.slice(0, MOST_IMAGES)) {
      const own = sheets.addImage(image)
      pixels += own.reduce((sum, sheet) => sum + sheet.pixels, 0)
      if (pixels > MOST_PIXELS) break
      added.push(...own)
    }
    const hits = new Map<DocumentImage, Map<ImageSheet, PageAreas>>()
    if (isFirst && new Set(added.map(({ image }) => image)).size < covered.length) this.record('images')
    if (added.length === 0) return hits
    const document = sheets.finish()
    const byIndex = new Map(added.map(sheet => [sheet.index, sheet]))
    const known = added.map(sheet => knownOn(document, sheet, areas))
    const isOn = (rule: Rule, index: number): boolean => {
      const sheet = byIndex.get(index)
      return sheet !== undefined && isOnImage(rule, sheet.image)
    }
    for (const open of this.readers) {
      const reader = open(isOn)
      const { found, unread } = await reader.findOnSheets(document, [...byIndex.keys()], known)
      if (unread.length > 0 && isFirst) this.record(reader.unreadReason)
      for (const page of found) {
        const sheet = byIndex.get(page.index)
        if (!sheet || page.areas.length === 0) continue
        const own = hits.get(sheet.image) ?? new Map<ImageSheet, PageAreas>()
        const earlier = own.get(sheet)
        own.set(sheet, earlier ? { ...page, areas: [...earlier.areas, ...page.areas] } : page)
        hits.set(sheet.image, own)
      }
    }
    return hits
  }

  /** Clears pixels of an image in place, wherever it is used. Returns `false` if the image is too large to be cut. */
  private async cut(image: DocumentImage, hits: ImageHits): Promise<boolean> {
    const original = image.stream
    try {
      for (const ref of image.refs) {
        image.stream = await this.erase(original, hits, ref)
        this.document.store.set(ref, image.stream)
      }
      if (image.inline.length === 0) return true
      image.stream = await this.erase(original, hits)
      this.replaceInline(image, image.stream)
      return true
    } catch (error) {
      if (error instanceof EngineError && error.reason === 'too_large') return false
      throw error
    }
  }

  private async erase(original: PDFRawStream, hits: ImageHits, value?: PDFRef): Promise<PDFRawStream> {
    const { document } = this
    let image = original
    for (const [{ matrix }, { areas, frame }] of hits) {
      const visible = { left: 0, bottom: 0, right: frame.width, top: frame.height }
      const filter = new RemoveAreas({ holes: areas.map(({ hole }) => hole), visible, images: 'overlap' })
      const eraser = new ImageEraser(document)
      const target = eraser.cut({ image, value, matrix, filter })
      await eraser.finish()
      const written = target && document.peek(target)
      image = written instanceof PDFRawStream ? written : createEmptyImage(document)
    }
    return image
  }

  private remove(image: DocumentImage): void {
    const empty = createEmptyImage(this.document)
    for (const ref of image.refs) this.document.store.set(ref, empty)
    this.replaceInline(image, empty)
  }

  /** The data of an inline image is written in hexadecimal, because readers look for its end in the data. */
  private replaceInline({ inline }: DocumentImage, image: PDFRawStream): void {
    const { document } = this
    for (const { ref, position } of inline) {
      const stream = document.peek(ref)
      const bytes = rewriteInlineImages(document, peekContent(document, ref), (_, index) =>
        index === position ? toHexadecimal(document, image) : undefined,
      )
      if (bytes && stream instanceof PDFRawStream) document.store.set(ref, deflatedStream(document, stream.dict, bytes))
    }
  }

  private record(reason: Unchecked['reason']): void {
    if (!this.unchecked.some(known => known.reason === reason)) this.unchecked.push({ reason })
  }
}

/** Returns an image with its encoded data in hexadecimal (ISO 32000-2, 7.4.2). */
function toHexadecimal(document: PdfDocument, { dict, contents }: PDFRawStream): PDFRawStream {
  const [filter, parameters] = [Name.Filter, Name.DecodeParms].map(key => document.peek(dict.get(key)))
  const entries = new Map(dict.entries())
  const list = (value: PDFObject | undefined): PDFObject[] =>
    value instanceof PDFArray ? value.asArray() : value ? [value] : []
  const filters = [PDFName.of('ASCIIHexDecode'), ...list(filter)]
  entries.set(Name.Filter, document.context.obj(filters))
  if (parameters) entries.set(Name.DecodeParms, document.context.obj([PDFNull, ...list(parameters)]))
  const data = Buffer.from(`${Buffer.from(contents).toString('hex')}>`, 'latin1')
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), data)
}

/** A rule with `pages` covers an image that is drawn on its pages only. */
function isOnImage(rule: Rule, { uses }: DocumentImage): boolean {
  return rule.isForAll || (uses.length > 0 && uses.every(({ pageIndex }) => rule.isOn(pageIndex)))
}

/** Returns whether an area lies on a use of an image. */
function isUnder({ pageIndex, matrix }: ImageUse, pages: readonly PageAreas[]): boolean {
  const bounds = boundsOf(mapCorners(matrix, { left: 0, bottom: 0, right: 1, top: 1 }))
  return pages.some(({ index, areas }) => index === pageIndex && areas.some(({ hole }) => overlap(hole, bounds)))
}

/** Returns the areas of pages that lie on uses of an image, as areas of its sheet. */
function knownOn(sheets: PdfDocument, { image, index, matrix }: ImageSheet, pages: readonly PageAreas[]): PageAreas {
  const sheet = emptyPage(sheets, index)
  for (const { pageIndex, matrix: placed } of image.uses) {
    const toImage = invertMatrix(placed)
    if (!toImage) continue
    const toSheet = chainMatrices(toImage, matrix)
    for (const { areas } of pages.filter(page => page.index === pageIndex))
      sheet.areas.push(...areas.map(area => ({ ...area, box: toBox(boundsOf(mapCorners(toSheet, area.hole))) })))
  }
  return sheet
}

function toBox({ left, bottom, right, top }: Bounds): Box {
  return { x: left, y: bottom, width: right - left, height: top - bottom }
}
