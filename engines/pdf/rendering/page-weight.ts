import { PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { isEngineError } from '../../errors'
import { contentsOf } from '../document/contents-of'
import type { PdfDocument } from '../document/document'
import { decodeStream } from '../filters/filters'
import { measureFrame } from '../geometry/frame'
import * as Name from '../syntax/names'
import type { StreamWalk } from '../content/walk/stream-walk'
import { ContentWalk } from '../content/walk/walk-content'
import type { ContentVisitor, StreamUse } from '../content/walk/walk-content'

/** Maximum bytes of content that a page draws, counting forms as often as they are drawn. */
const MOST_CONTENT = 150_000_000

/** Maximum area that the tiles of a pattern cover together, in square points. The largest page has 207 million. */
const MOST_TILED = 1_000_000_000

const TOO_DENSE = 'It fills a shape with a pattern whose tiles are too close together.'

/** Nesting of forms up to which PDFium draws them. */
const FORM_LEVELS = 40

/** Maximum growth of Flate data (RFC 1951). */
const MOST_GROWTH = 1032

/** Components of device color spaces. Other spaces count as gray, because they can't be told from a name alone. */
const COMPONENTS: Readonly<Record<string, number>> = { DeviceRGB: 3, CalRGB: 3, DeviceCMYK: 4 }

/** What a content stream draws. */
interface Drawn {
  byteCount: number
  /** Forms, and how often each is drawn. */
  forms: Map<PDFDict, number>
  /** How many times the densest pattern would cover a page. */
  density: number
  /** Why it can't be drawn in time. */
  problem?: string | undefined
}

const NOTHING: Drawn = { byteCount: 0, forms: new Map(), density: 0 }

/**
 * Finds pages that would keep PDFium busy for many seconds, before it begins. PDFium can't be interrupted while it loads
 * a page or decodes an image.
 */
export class PageWeights implements ContentVisitor {
  /** By the dictionary of the page or form. */
  private readonly drawn = new Map<PDFDict, Drawn>()
  /** Why the stream that is read next can't be decoded. */
  private problem: string | undefined
  readonly needsState = false
  private readonly checked = new Map<number, string | undefined>()

  constructor(private readonly document: PdfDocument) {}

  /** Returns what is too large on the page at this position (from 0). Undefined if PDFium can load and draw it. */
  findProblem(pageIndex: number): string | undefined {
    if (this.checked.has(pageIndex)) return this.checked.get(pageIndex)
    const problem = this.weigh(pageIndex)
    this.checked.set(pageIndex, problem)
    return problem
  }

  private weigh(pageIndex: number): string | undefined {
    const { document } = this
    const page = document.pages[pageIndex]
    if (!page) return undefined
    const { width, height } = measureFrame(document, page)
    const streams = contentsOf(document, page).map(item => document.peek(item) as PDFRawStream) // lists streams only
    const byteCount = streams.reduce((sum, stream) => sum + stream.contents.length, 0)
    if (streams.every(stream => this.isPlain(stream, document.peekDict(page.attribute(Name.Resources)))))
      return byteCount > MOST_CONTENT ? tooMuch() : undefined
    new ContentWalk(document, this).readPage(page)
    return this.findTooMuch(page.dict, width * height)
  }

  begin({ stream }: StreamWalk): void {
    this.drawn.set(stream.dict, { byteCount: stream.bytes.length, forms: new Map(), density: 0, problem: this.problem })
    this.problem = undefined
  }

  operator(walk: StreamWalk): void {
    if (walk.reader.operator !== 'Do') return
    const object = this.document.peek(walk.resource('XObject', walk.reader.name))
    const drawn = this.drawn.get(walk.stream.dict)
    if (!drawn || !(object instanceof PDFRawStream)) return
    if (this.document.peek(object.dict.get(Name.Subtype)) !== Name.Form) drawn.problem ??= this.findLargeImage(object)
  }

  /** Counts a form or a pattern that a stream draws. Each form is read once. */
  enter({ kind, form, parent }: StreamUse): string | undefined {
    const around = parent && this.drawn.get(parent.stream.dict)
    if (!around) return undefined
    if (kind === 'pattern') around.density = Math.max(around.density, this.measureDensity(form))
    if (kind !== 'form') return undefined
    around.forms.set(form.dict, (around.forms.get(form.dict) ?? 0) + 1)
    if (this.drawn.has(form.dict) || parent.stream.depth >= FORM_LEVELS) return undefined
    const resources = this.document.peekDict(form.dict.get(Name.Resources)) ?? parent.stream.resources
    if (!this.isPlain(form, resources)) return ''
    this.drawn.set(form.dict, { byteCount: form.contents.length, forms: new Map(), density: 0 })
    return undefined
  }

  /** Adds up the content of all levels of forms. `area` is that of the page in square points. */
  private findTooMuch(page: PDFDict, area: number): string | undefined {
    let sum = 0
    let level = new Map([[page, 1]])
    for (let depth = 0; depth <= FORM_LEVELS && level.size > 0; depth++) {
      const next = new Map<PDFDict, number>()
      for (const [dict, times] of level) {
        const { byteCount, forms, density, problem } = this.drawn.get(dict) ?? NOTHING
        if (problem) return problem
        if (density * area > MOST_TILED) return TOO_DENSE
        sum += byteCount * times
        for (const [inner, count] of forms) next.set(inner, (next.get(inner) ?? 0) + count * times)
      }
      if (sum > MOST_CONTENT) return tooMuch()
      level = next
    }
    return undefined
  }

  /** Returns whether a stream draws no form, image or pattern, and can't be too large. */
  private isPlain({ dict, contents }: PDFRawStream, resources: PDFDict | undefined): boolean {
    const { document } = this
    return (
      !document.peekDict(resources?.get(Name.XObject)) &&
      !document.peekDict(resources?.get(Name.Pattern)) &&
      contents.length * MOST_GROWTH <= document.limits.maxStreamBytes &&
      !hasManyFilters(dict)
    )
  }

  /** How many times the tiles of a pattern would cover a page (ISO 32000-2, 8.7.3.1). */
  private measureDensity({ dict }: PDFRawStream): number {
    const { document } = this
    const [xStep, yStep] = [Name.XStep, Name.YStep].map(key => Math.abs(document.peekNumber(dict.get(key)) ?? 0)) as [
      number,
      number,
    ]
    const [left = 0, bottom = 0, right = 0, top = 0] = this.readNumbers(dict.get(Name.BBox))
    const [a = 1, b = 0, c = 0, d = 1] = this.readNumbers(dict.get(Name.Matrix))
    const scale = Math.abs(a * d - b * c)
    const tileArea = Math.max(1, Math.abs((right - left) * (top - bottom)) * scale)
    // Without a step, PDFium draws a single tile.
    return xStep === 0 || yStep === 0 || scale === 0 ? 0 : tileArea / (xStep * yStep * scale)
  }

  /** Decodes a stream without counting it, because PDFium decodes it again. */
  readonly decode = (document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined => {
    const stream = document.peek(value)
    if (!(stream instanceof PDFRawStream)) return undefined
    try {
      return decodeStream(stream.dict, stream.contents, item => document.peek(item), document.limits.maxStreamBytes)
    } catch (error) {
      if (!isEngineError(error) || error.reason !== 'too_large') throw error
      this.problem = `Its content has more than ${megabytes(document.limits.maxStreamBytes)}.`
      return undefined
    }
  }

  private findLargeImage({ dict, contents }: PDFRawStream): string | undefined {
    const { document } = this
    const number = (key: PDFName): number => document.peekNumber(dict.get(key)) ?? 0
    const [width, height] = [number(Name.Width), number(Name.Height)]
    const isMask = document.peek(dict.get(Name.ImageMask))?.toString() === 'true'
    const bits = isMask ? 1 : number(Name.BitsPerComponent) || 8
    const byteCount = (width * height * bits * this.countComponents(dict.get(Name.ColorSpace))) / 8
    const most = document.limits.maxInflateBytes
    // Shorter Flate data ends before the image does.
    if (byteCount <= most || contents.length * MOST_GROWTH <= most) return undefined
    const size = [width, height].map(side => side.toLocaleString('en')).join(' × ')
    return `It shows an image of ${size} pixels, which has more than ${megabytes(most)}.`
  }

  private readNumbers(value: PDFObject | undefined): number[] {
    const items = this.document.peekItems(value)
    return items.map(item => this.document.peekNumber(item) ?? 0)
  }

  private countComponents(value: PDFObject | undefined): number {
    const space = this.document.peek(value)
    if (space instanceof PDFName) return COMPONENTS[space.decodeText()] ?? 1
    const parts = this.document.peekArray(space)
    const profile = this.document.peek(parts?.asArray()[1])
    const count = profile instanceof PDFRawStream ? this.document.peek(profile.dict.get(Name.N)) : undefined
    return count instanceof PDFNumber ? count.asNumber() : 1
  }
}

function hasManyFilters(dict: PDFDict): boolean {
  const filter = dict.get(Name.Filter)
  return filter !== undefined && !(filter instanceof PDFName)
}

function tooMuch(): string {
  return `It draws more than ${megabytes(MOST_CONTENT)} of content, counting forms as often as they are drawn.`
}

function megabytes(byteCount: number): string {
  return `${Math.round(byteCount / 1_000_000)} MB`
}
