import { PDFArray, PDFName, PDFNull } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { Page, PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict, streamOf } from '../examination/model'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { isTransparencyGroup } from './forms'
import { FILL, paintedBy, SHOW, STROKE } from './operators'
import { findOrAdd } from '../../../map-entries'

interface PageSubject {
  document: PdfDocument
  dict: PDFDict
}

/** Rules on pages with transparency in files without PDF/A output intent. */
export const TRANSPARENCY_RULES: Rule<PageSubject>[] = [
  {
    in: inParts23('6.2.10-2'),
    message: 'A page with transparency needs a PDF/A output intent or a group with a color space.',
    check: ({ document, dict }) => {
      const group = plainDict(document, dict.get(Name.Group))
      const space = document.peek(group?.get(Name.CS))
      return space instanceof PDFName || (space instanceof PDFArray && space.size() > 0)
        ? undefined
        : 'transparency without /CS in the page group'
    },
  },
]

/** The parts of the graphics state that make painting transparent (ISO 32000-1, 11.6). */
interface Alpha {
  fill: number
  stroke: number
  /** Whether there is a soft mask or a blend mode other than Normal. */
  isMasked: boolean
  isBlended: boolean
}

/** What content paints transparently, and what else it draws. */
interface Node {
  isTransparent: boolean
  draws: Set<PDFObject>
}

const OPAQUE: Alpha = { fill: 1, stroke: 1, isMasked: false, isBlended: false }

/** Maximum number of nested `q` that are remembered. */
const MAX_SAVED = 10_000

/** Finds pages with transparency. */
export class Transparency {
  private readonly isNeeded: boolean
  /** By dictionary of the page or stream. */
  private readonly nodes = new Map<PDFObject, Node>()
  private readonly frames: { node: Node; alpha: Alpha; saved: Alpha[] }[] = []
  /** The appearances of annotations by page. */
  private readonly appearances = new Map<Page, Set<PDFObject>>()

  constructor(
    private readonly examination: Examination,
    output: string | undefined,
  ) {
    this.isNeeded = output === undefined && examination.has(TRANSPARENCY_RULES)
  }

  begin({ document, stream }: StreamWalk): void {
    if (!this.isNeeded) return
    const node = findOrAdd(this.nodes, stream.dict, () => ({ isTransparent: false, draws: new Set<PDFObject>() }))
    this.frames.push({ node, alpha: OPAQUE, saved: [] })
    const { kind, page, dict } = stream
    if (kind === 'form' || kind === 'appearance') node.isTransparent ||= isTransparencyGroup(document, dict)
    if (kind !== 'appearance') return
    const streams = this.appearances.get(page) ?? new Set()
    this.appearances.set(page, streams.add(dict))
  }

  end(): void {
    this.frames.pop()
  }

  operator(walk: StreamWalk, kind: number): void {
    const frame = this.isNeeded ? this.frames.at(-1) : undefined
    if (!frame) return
    const { document, reader, state } = walk
    const { operator } = reader
    if (operator === 'q') {
      if (frame.saved.length < MAX_SAVED) frame.saved.push(frame.alpha)
    } else if (operator === 'Q') frame.alpha = frame.saved.pop() ?? frame.alpha
    else if (operator === 'gs')
      frame.alpha = withParameters(document, frame.alpha, document.peekDict(walk.resource('ExtGState', reader.name)))
    else if (operator === 'Do') this.drawObject(walk, frame.node, frame.alpha)
    else if (operator === 'sh') paint(frame, [])
    else {
      const painted = paintedBy(kind, state.renderMode)
      if (painted & FILL) paint(frame, [patternOf(document, state.fill.pattern)])
      if (painted & STROKE) paint(frame, [patternOf(document, state.stroke.pattern)], frame.alpha.stroke)
      if (kind === SHOW && painted > 0) for (const glyph of glyphsOf(walk)) frame.node.draws.add(glyph)
    }
  }

  finish(): void {
    if (!this.isNeeded) return
    const { document } = this.examination
    for (const [index, page] of document.pages.entries())
      if (this.isTransparent(page))
        this.examination.apply(TRANSPARENCY_RULES, { document, dict: page.dict }, { page: index + 1 })
  }

  private drawObject(walk: StreamWalk, node: Node, alpha: Alpha): void {
    const { document } = walk
    const object = streamOf(document, walk.resource('XObject', walk.reader.name))
    if (!object) return
    const subtype = document.peekName(object.dict.get(Name.Subtype))
    if (isSeeThrough(alpha) || alpha.fill < 1) node.isTransparent = true
    if (subtype === 'Form') node.draws.add(object.dict)
    else if (subtype === 'Image') {
      const hasMask = streamOf(document, object.dict.get(Name.SMask)) !== undefined
      const hasAlpha = (document.peekNumber(entryOf(document, object.dict, 'SMaskInData')) ?? 0) > 0
      if (hasMask || hasAlpha) node.isTransparent = true
    }
  }

  /** Whether the page, its annotations, or anything that they draw is transparent. */
  private isTransparent(page: Page): boolean {
    const open: PDFObject[] = [page.dict, ...(this.appearances.get(page) ?? [])]
    const seen = new Set(open)
    for (let item = open.pop(); item; item = open.pop()) {
      const node = this.nodes.get(item)
      if (node?.isTransparent) return true
      for (const drawn of node?.draws ?? []) {
        if (seen.has(drawn)) continue
        seen.add(drawn)
        open.push(drawn)
      }
    }
    return false
  }
}

function paint(
  { node, alpha }: { node: Node; alpha: Alpha },
  patterns: readonly (PDFObject | undefined)[],
  opacity = alpha.fill,
): void {
  if (isSeeThrough(alpha) || opacity < 1) node.isTransparent = true
  for (const pattern of patterns) if (pattern) node.draws.add(pattern)
}

function isSeeThrough({ isMasked, isBlended }: Alpha): boolean {
  return isMasked || isBlended
}

function withParameters(document: PdfDocument, alpha: Alpha, dict: PDFDict | undefined): Alpha {
  const mask = entryOf(document, dict, 'SMask')
  const mode = entryOf(document, dict, 'BM')
  return {
    fill: document.peekNumber(dict?.get(Name.ca)) ?? alpha.fill,
    stroke: document.peekNumber(dict?.get(Name.CA)) ?? alpha.stroke,
    isMasked: mask === undefined || mask === PDFNull ? alpha.isMasked : document.peekDict(mask) !== undefined,
    isBlended: mode === undefined || mode === PDFNull ? alpha.isBlended : isBlending(document, mode),
  }
}

function isBlending(document: PdfDocument, mode: PDFObject): boolean {
  const [only, ...others] = mode instanceof PDFArray ? mode.asArray() : [mode]
  return others.length > 0 || document.peekName(only) !== 'Normal'
}

function patternOf(document: PdfDocument, value: PDFObject | undefined): PDFObject | undefined {
  return streamOf(document, value)?.dict
}

/** The glyphs of the current Type 3 font. */
function glyphsOf({ document, font }: StreamWalk): PDFObject[] {
  if (!font || document.peekName(font.get(Name.Subtype)) !== 'Type3') return []
  const glyphs = document.peekDict(font.get(Name.CharProcs))?.values() ?? []
  return glyphs.flatMap(glyph => streamOf(document, glyph)?.dict ?? [])
}
