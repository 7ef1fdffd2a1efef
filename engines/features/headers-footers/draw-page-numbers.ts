import type { PDFRef } from 'pdf-lib'
import type { Box, Frame } from '../../pdf/geometry'
import type { PdfDocument } from '../../pdf/document'
import { measureFrame } from '../../pdf/geometry'
import { writeNumbers } from '../../pdf/syntax'
import { PageContent } from '../../pdf/rewrite-content'
import { fontsOf, openTypesetter, stackLines } from '../../pdf/typeset'
import type { TextBlock, Typesetter } from '../../pdf/typeset'
import * as Name from '../../pdf/names'
import { writeColor } from '../../options/colors'
import type { Color } from '../../options/colors'
import { POSITIONS, POSITION_ALIASES, placeBox } from '../../options/placement'
import type { Position } from '../../options/placement'
import type { Outline } from '../../types'
import { drawArtifact, showBlock } from './artifact'
import type { ArtifactKind } from './artifact'
import { measureEdges } from './page-edge-content'

/** Positions that alternate between odd and even pages, with their position on odd pages. */
const FACING = {
  outer: 'bottom-right',
  inner: 'bottom-left',
  'bottom-outer': 'bottom-right',
  'bottom-inner': 'bottom-left',
  'top-outer': 'top-right',
  'top-inner': 'top-left',
} as const

/** The names of the alternating positions. */
export const FACING_POSITIONS = Object.keys(FACING)

/** Padding around a number with a background, as a multiple of the font size. */
const PADDING = 0.25

interface WriterOptions {
  position: string
  fontSize: number
  margin: number
  offset: { x: number; y: number }
  color: Color
  bold: boolean
  opacity: number
  background?: Color | undefined
  facing: boolean
  kind: ArtifactKind
  /** Receives the place of the number on a page. */
  outline?: Outline | undefined
}

/** Opens a writer that draws one line at the same position of each page. */
export async function openPageNumberWriter(document: PdfDocument, options: WriterOptions): Promise<PageNumberWriter> {
  return new PageNumberWriter(await openTypesetter(), document, options)
}

class PageNumberWriter {
  private readonly state: PDFRef | undefined

  constructor(
    private readonly typesetter: Typesetter,
    private readonly document: PdfDocument,
    private readonly options: WriterOptions,
  ) {
    const { opacity, color, background } = options
    document.saving.addedFeatures.addColor(color)
    if (background) document.saving.addedFeatures.addColor(background)
    if (opacity < 1) document.saving.addedFeatures.add('transparency')
    this.state = opacity < 1 ? document.register(document.context.obj({ Type: 'ExtGState', ca: opacity })) : undefined
  }

  /** Draws a number on a page. Throws EngineError `options_invalid` for characters that no font has. */
  draw(pageIndex: number, text: string): void {
    const { document, options } = this
    const page = document.pages[pageIndex]
    if (!page) return
    const frame = measureFrame(document, page)
    const block = this.shape(text)
    const { box, sizePt, padding } = this.place(frame, block, pageIndex)
    options.outline?.add({
      width: box.width,
      height: box.height,
      matrix: [1, 0, 0, 1, box.x, box.y],
      text,
      opacity: options.opacity,
    })
    const content = new PageContent(document, page)
    const state = this.state ? `/${content.name(Name.ExtGState, 'Gs', this.state)} gs\n` : ''
    const backgroundOperators = options.background
      ? `${writeColor(options.background, 'rg')}\n${writeNumbers([box.x, box.y, box.width, box.height])} re f\n`
      : ''
    const textOperators = showBlock(content, block, {
      x: box.x + padding,
      top: box.y + box.height - padding,
      sizePt,
      align: 'left',
      fonts: fontsOf(document),
    })
    drawArtifact(content, frame, {
      kind: options.kind,
      operators: `${state}${backgroundOperators}${writeColor(options.color, 'rg')}\n${textOperators}`,
    })
    content.write()
  }

  private shape(text: string): TextBlock {
    const style = { weight: this.options.bold ? 700 : 400 }
    return stackLines([this.typesetter.shape(text, style, 'options.format')], this.typesetter.mainFace(style))
  }

  /**
   * Returns the box of the number with its background. On a small page, the box is reduced. It never leaves the page.
   */
  private place(frame: Frame, block: TextBlock, pageIndex: number): { box: Box; sizePt: number; padding: number } {
    const { fontSize, margin, offset, background } = this.options
    const edges = measureEdges(frame, margin)
    const around = background ? 2 * PADDING : 0
    const full = { width: (block.width / 1000 + around) * fontSize, height: (block.height / 1000 + around) * fontSize }
    const scale = Math.min(
      1,
      (frame.width - 2 * edges.across) / full.width,
      (frame.height - 2 * edges.up) / full.height,
    )
    const size = { width: full.width * scale, height: full.height * scale }
    const { position, isMirrored } = this.positionOn(pageIndex)
    const moved = { x: isMirrored ? -offset.x : offset.x, y: offset.y }
    const { x, y } = placeBox(frame, size, { position, marginPt: margin, offset: moved })
    const box = {
      ...size,
      x: keepWithin(x, frame.width - size.width, offset.x === 0 ? edges.across : 0),
      y: keepWithin(y, frame.height - size.height, offset.y === 0 ? edges.up : 0),
    }
    return { box, sizePt: fontSize * scale, padding: (around / 2) * fontSize * scale }
  }

  private positionOn(pageIndex: number): { position: Position; isMirrored: boolean } {
    const { position: requestedPosition, facing } = this.options
    const fixed = Object.hasOwn(FACING, requestedPosition)
      ? FACING[requestedPosition as keyof typeof FACING]
      : undefined // `hasOwn` checked the key.
    const position =
      fixed ??
      POSITIONS.find(candidate => candidate === requestedPosition) ??
      POSITION_ALIASES[requestedPosition] ??
      'bottom-center'
    const isMirrored = (facing || fixed !== undefined) && pageIndex % 2 === 1
    return { position: isMirrored ? mirror(position) : position, isMirrored }
  }
}

/** Restricts a position to the range from `edge` to `most - edge`. */
function keepWithin(place: number, most: number, edge: number): number {
  return Math.max(edge, Math.min(place, most - edge))
}

function mirror(position: Position): Position {
  const mirrored = position.endsWith('left') ? position.replace('left', 'right') : position.replace('right', 'left')
  return POSITIONS.find(candidate => candidate === mirrored) ?? position
}
