import { PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { isEngineError } from '../errors'
import { contentsOf } from '../pdf-core/document/contents-of'
import type { PdfDocument } from '../pdf-core/document/document'
import { decodeStream } from '../pdf-core/filters/filters'
import { measureFrame } from '../pdf-core/geometry/frame'
import { ContentReader } from '../pdf-core/syntax/content-reader'
import * as Name from '../pdf-core/syntax/names'

const [WIDTH, HEIGHT, BITS, IMAGE_MASK] = ['Width', 'Height', 'BitsPerComponent', 'ImageMask'].map(name =>
  PDFName.of(name),
) as [PDFName, PDFName, PDFName, PDFName]
const [PATTERN, X_STEP, Y_STEP] = ['Pattern', 'XStep', 'YStep'].map(name => PDFName.of(name)) as [
  PDFName,
  PDFName,
  PDFName,
]

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
  forms: Map<PDFRawStream, number>
  /** How many times the densest pattern would cover a page. */
  density: number
  /** Why it can't be drawn in time. */
  problem?: string
}

/**
 * Finds pages that would keep PDFium busy for many seconds, before it begins. PDFium can't be interrupted while it loads
 * a page or decodes an image.
 */
export class PageWeights {
  private readonly drawn = new Map<PDFRawStream, Drawn>()
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
    const area = width * height
    const resources = document.peekDict(page.attribute(Name.Resources))
    const whole: Drawn = { byteCount: 0, forms: new Map(), density: 0 }
    for (const item of contentsOf(document, page)) {
      const stream = document.peek(item)
      if (stream instanceof PDFRawStream) this.read(stream, resources, whole)
      if (whole.problem) return whole.problem
    }
    return this.findTooMuch(whole, resources, area)
  }

  /** Adds up the content of all levels of forms. `area` is that of the page in square points. */
  private findTooMuch(whole: Drawn, resources: PDFDict | undefined, area: number): string | undefined {
    let sum = whole.byteCount
    let level = whole.forms
    if (sum > MOST_CONTENT) return tooMuch()
    if (whole.density * area > MOST_TILED) return TOO_DENSE
    for (let depth = 0; depth < FORM_LEVELS && level.size > 0; depth++) {
      const next = new Map<PDFRawStream, number>()
      for (const [form, times] of level) {
        const { byteCount, forms, density, problem } = this.readForm(form, resources)
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

  private readForm(form: PDFRawStream, inherited: PDFDict | undefined): Drawn {
    const known = this.drawn.get(form)
    if (known) return known
    const drawn: Drawn = { byteCount: 0, forms: new Map(), density: 0 }
    this.drawn.set(form, drawn)
    this.read(form, this.document.peekDict(form.dict.get(Name.Resources)) ?? inherited, drawn)
    return drawn
  }

  /** Adds what a content stream draws. */
  private read(stream: PDFRawStream, resources: PDFDict | undefined, drawn: Drawn): void {
    const { document } = this
    const named = document.peekDict(resources?.get(Name.XObject))
    const patterns = document.peekDict(resources?.get(PATTERN))
    if (
      !named &&
      !patterns &&
      stream.contents.length * MOST_GROWTH <= document.limits.maxStreamBytes &&
      !hasManyFilters(stream)
    ) {
      drawn.byteCount += stream.contents.length
      return
    }
    const content = this.decode(stream)
    if (content === 'too-large') {
      drawn.problem = `Its content has more than ${megabytes(document.limits.maxStreamBytes)}.`
      return
    }
    drawn.byteCount += content?.length ?? 0
    if (!content || (!named && !patterns)) return
    const reader = new ContentReader(content)
    while (reader.next()) {
      const { operator, name } = reader
      if (name === undefined || (operator !== 'Do' && operator !== 'scn' && operator !== 'SCN')) continue
      const target = document.peek((operator === 'Do' ? named : patterns)?.get(PDFName.of(name)))
      if (!(target instanceof PDFRawStream)) continue
      if (operator !== 'Do') drawn.density = Math.max(drawn.density, this.measureDensity(target))
      else if (document.peek(target.dict.get(Name.Subtype)) === Name.Form)
        drawn.forms.set(target, (drawn.forms.get(target) ?? 0) + 1)
      else drawn.problem ??= this.findLargeImage(target)
    }
  }

  /** How many times the tiles of a pattern would cover a page (ISO 32000-2, 8.7.3.1). */
  private measureDensity({ dict }: PDFRawStream): number {
    const { document } = this
    const [xStep, yStep] = [X_STEP, Y_STEP].map(key => Math.abs(document.peekNumber(dict.get(key)) ?? 0)) as [
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
  private decode(stream: PDFRawStream): Uint8Array | 'too-large' | undefined {
    const { document } = this
    try {
      return decodeStream(stream.dict, stream.contents, item => document.peek(item), document.limits.maxStreamBytes)
    } catch (error) {
      if (isEngineError(error) && error.reason === 'too-large') return 'too-large'
      throw error
    }
  }

  private findLargeImage({ dict, contents }: PDFRawStream): string | undefined {
    const { document } = this
    const number = (key: PDFName): number => document.peekNumber(dict.get(key)) ?? 0
    const [width, height] = [number(WIDTH), number(HEIGHT)]
    const isMask = document.peek(dict.get(IMAGE_MASK))?.toString() === 'true'
    const bits = isMask ? 1 : number(BITS) || 8
    const byteCount = (width * height * bits * this.countComponents(dict.get(Name.ColorSpace))) / 8
    const most = document.limits.maxInflateBytes
    // Shorter Flate data ends before the image does.
    if (byteCount <= most || contents.length * MOST_GROWTH <= most) return undefined
    const size = [width, height].map(side => side.toLocaleString('en')).join(' × ')
    return `It shows an image of ${size} pixels, which has more than ${megabytes(most)}.`
  }

  private readNumbers(value: PDFObject | undefined): number[] {
    const items = this.document.peekArray(value)?.asArray() ?? []
    return items.map(item => this.document.peekNumber(item) ?? 0)
  }

  private countComponents(value: PDFObject | undefined): number {
    const space = this.document.peek(value)
    if (space instanceof PDFName) return COMPONENTS[space.decodeText()] ?? 1
    const parts = this.document.peekArray(space)
    const profile = this.document.peek(parts?.asArray()[1])
    const count = profile instanceof PDFRawStream ? this.document.peek(profile.dict.get(PDFName.of('N'))) : undefined
    return count instanceof PDFNumber ? count.asNumber() : 1
  }
}

function hasManyFilters({ dict }: PDFRawStream): boolean {
  const filter = dict.get(Name.Filter)
  return filter !== undefined && !(filter instanceof PDFName)
}

function tooMuch(): string {
  return `It draws more than ${megabytes(MOST_CONTENT)} of content, counting forms as often as they are drawn.`
}

function megabytes(byteCount: number): string {
  return `${Math.round(byteCount / 1_000_000)} MB`
}
