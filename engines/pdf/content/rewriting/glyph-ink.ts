import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { decodeContent } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import type { Font, Glyph } from '../../fonts/font'
import { openGlyphOutlines } from '../../fonts/glyph-outlines'
import type { InkOfCode } from '../../fonts/glyph-outlines'
import { moveBox } from '../../fonts/programs/glyph-pen'
import { boundsOf, intersect, mapCorners } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'
import { readMatrix } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import * as Name from '../../syntax/names'
import { keyOfCode } from '../code-keys'
import type { ContentStream } from '../walk/content-stream'
import type { ContentFilter, Element, PixelCut, Verdict } from './content-filter'
import type { Interpret } from './form-xobjects'
import { initialRewriteState } from './graphics-state'
import { StreamResources } from './stream-resources'
import { findOrAdd } from '../../../map-entries'

/** The default /FontMatrix of Type 3 fonts. */
const GLYPH_SPACE: Matrix = [0.001, 0, 0, 0.001, 0, 0]

const NO_INK: readonly Bounds[] = []

/** What the glyphs of fonts paint, whatever advances and boxes the fonts state. */
export class GlyphInk {
  private readonly known = new Map<PDFDict, Map<string, Bounds | undefined>>()
  private readonly programs = new Map<PDFDict, { inkOf: InkOfCode | undefined; known: Map<number, Bounds[]> }>()
  private count = 0

  constructor(
    private readonly document: PdfDocument,
    private readonly interpret: Interpret,
  ) {}

  /**
   * The bounds of what the procedure of a glyph paints (ISO 32000-2, 9.6.4), in ems from its origin. Undefined if the
   * bounds reach out of the glyph's box by less than half its size, and for fonts of other types. Throws EngineError
   * `too_large` if a limit of the document is exceeded.
   */
  ofProcedure(font: Font, glyph: Glyph, around: ContentStream): Bounds | undefined {
    const ink = this.paintedBy(font, glyph.code, around)
    return ink && isFar(ink, glyph) ? ink : undefined
  }

  /** The bounds of the outline of a glyph in an embedded program, like `ofProcedure`, for each place that readers choose. */
  ofOutline(font: Font, glyph: Glyph): readonly Bounds[] {
    if (font.procedureOf) return NO_INK
    const { inkOf, known } = findOrAdd(this.programs, font.dict, () => ({
      inkOf: openGlyphOutlines(this.document, font.dict),
      known: new Map(),
    }))
    if (!inkOf) return NO_INK
    const { code, length } = glyph
    return findOrAdd(known, keyOfCode(code, length), () => {
      const [x, y] = font.originOf?.(code, length) ?? [0, 0]
      return inkOf(code, length)
        .map(ink => moveBox(ink, -x, -y))
        .filter(ink => isFar(ink, glyph))
    })
  }

  private paintedBy(font: Font, code: number, around: ContentStream): Bounds | undefined {
    const name = font.procedureOf?.(code)
    if (name === undefined) return undefined
    const boxes = findOrAdd(this.known, font.dict, () => new Map())
    if (boxes.has(name)) return boxes.get(name)
    // Viewers don't draw a glyph inside itself.
    boxes.set(name, undefined)
    const bounds = this.measureProcedure(font.dict, name, around)
    boxes.set(name, bounds)
    return bounds
  }

  /**
   * The bounds of what the procedure of a Type 3 glyph paints, in text space of font size 1. `around` is the stream that
   * shows the glyph. Undefined if the procedure paints nothing or can't be read.
   */
  private measureProcedure(font: PDFDict, name: string, around: ContentStream): Bounds | undefined {
    const { document } = this
    const procedure = document.peek(document.peekDict(font.get(Name.CharProcs))?.get(PDFName.of(name)))
    if (!(procedure instanceof PDFRawStream)) return undefined
    const bytes = decodeContent(document, procedure)
    if (!bytes) return undefined
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

/** Returns whether ink reaches out of the box of a glyph by half the size of the box. */
function isFar(ink: Bounds, { left, bottom, right, top }: Bounds): boolean {
  const [width, height] = [(right - left) / 2, (top - bottom) / 2]
  return ink.left < left - width || ink.right > right + width || ink.bottom < bottom - height || ink.top > top + height
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
