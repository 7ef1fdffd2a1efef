import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { decodeContent } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import type { Font } from '../../fonts/font'
import { boundsOf, intersect, mapCorners } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'
import { readMatrix } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import * as Name from '../../syntax/names'
import type { ContentStream } from '../walk/content-stream'
import type { ContentFilter, Element, PixelCut, Verdict } from './content-filter'
import type { Interpret } from './form-xobjects'
import { initialRewriteState } from './graphics-state'
import { StreamResources } from './stream-resources'

/** The default /FontMatrix of Type 3 fonts. */
const GLYPH_SPACE: Matrix = [0.001, 0, 0, 0.001, 0, 0]

/** What the procedures of Type 3 fonts paint (ISO 32000-2, 9.6.4), whatever boxes the fonts state. */
export class GlyphInk {
  private readonly known = new Map<PDFDict, Map<string, Bounds | undefined>>()
  private count = 0

  constructor(
    private readonly document: PdfDocument,
    private readonly interpret: Interpret,
  ) {}

  /**
   * The bounds of what the glyph of a code paints, in ems from its origin. Undefined if it paints nothing, and for other
   * fonts. Throws EngineError `too_large` if a limit of the document is exceeded.
   */
  of(font: Font, code: number, around: ContentStream): Bounds | undefined {
    const name = font.procedureOf?.(code)
    if (name === undefined) return undefined
    const boxes = this.known.get(font.dict) ?? new Map<string, Bounds | undefined>()
    this.known.set(font.dict, boxes)
    if (boxes.has(name)) return boxes.get(name)
    // Viewers don't draw a glyph inside itself.
    boxes.set(name, undefined)
    const bounds = this.measure(font.dict, name, around)
    boxes.set(name, bounds)
    return bounds
  }

  private measure(font: PDFDict, name: string, around: ContentStream): Bounds | undefined {
    const { document } = this
    const value = document.peekDict(font.get(Name.CharProcs))?.get(PDFName.of(name))
    const procedure = document.peek(value)
    const bytes = procedure instanceof PDFRawStream ? decodeContent(document, procedure) : undefined
    if (!(procedure instanceof PDFRawStream) || !bytes) return undefined
    const own = document.peekDict(procedure.dict.get(Name.Resources)) ?? document.peekDict(font.get(Name.Resources))
    const stream: ContentStream = {
      ...around,
      kind: 'glyph',
      dict: procedure.dict,
      bytes,
      isWhole: true,
      resources: own ?? around.pageResources,
      hasOwnResources: own !== undefined,
      parent: around,
      depth: around.depth + 1,
    }
    const filter = new InkFilter(`ink ${this.count++}`)
    const resources = new StreamResources(document, stream)
    this.interpret({ stream, resources, scene: { filter }, state: initialRewriteState(), owner: undefined })
    const { ink } = filter
    return ink && boundsOf(mapCorners(readMatrix(document, font.get(Name.FontMatrix), GLYPH_SPACE), ink))
  }
}

/** Keeps everything, and records where it is. */
class InkFilter implements ContentFilter {
  readonly area = undefined
  ink: Bounds | undefined

  /** A form is only read again for another key. */
  constructor(readonly key: string) {}

  decide({ kind, bounds, clip }: Element): Verdict {
    if (kind === 'form') return 'cut'
    if (kind === 'clip') return 'keep'
    const seen = intersect(bounds, clip)
    if (seen.left > seen.right || seen.bottom > seen.top) return 'keep'
    const { left, bottom, right, top } = this.ink ?? seen
    this.ink = {
      left: Math.min(left, seen.left),
      bottom: Math.min(bottom, seen.bottom),
      right: Math.max(right, seen.right),
      top: Math.max(top, seen.top),
    }
    return 'keep'
  }

  /** Never called, because no image is cut. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}
