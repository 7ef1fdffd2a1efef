import { writeRounded } from '../../pdf/syntax'
import type { PdfDocument } from '../../pdf/document'
import type { DocumentFonts, NameFont, ShapedText, Typesetter } from '../../pdf/typeset'
import { measureInk, showText } from '../../pdf/typeset'
import * as Name from '../../pdf/names'
import { PDFDict, PDFName } from 'pdf-lib'
import { EngineError } from '../../errors'
import { writeColor } from '../../options/colors'
import { addForm } from './graphic'
import type { Graphic } from './graphic'
import type { Mark } from './options'
import { angleOn, chordOf, fitFactor, freeAreaOf } from './placement'
import type { MarkSize } from './placement'
import { copyDict } from '../../pdf/document'

/** Distance of baselines, and minimum gap between two lines, in thousandths of the font size. */
const LINE_STEP = 1200
const LEAST_GAP = 120

/** Width of letter outlines as a multiple of the font size, and its minimum in points. */
const OUTLINE_WIDTH = 0.012
const LEAST_OUTLINE_PT = 0.2

/** Share of the diagonal, or of the page's extent in the direction of the text, that fitted text fills. */
const FITTED_SHARE = 0.7
/** Share for text at the edges and in tiles. */
const SMALL_SHARE = 0.3

const MOST_PT = 500

/** A line with its position in a block. */
interface PlacedLine {
  shaped: ShapedText
  x: number
  y: number
}

/** Lines of text with the lower-left corner of their ink at 0,0, in thousandths of the font size. */
export interface Block extends MarkSize {
  lines: PlacedLine[]
}

type Alignment = 'left' | 'center' | 'right'

/**
 * Lays out the text of a mark. Throws EngineError `options_invalid` for characters that no font has, or for a text without
 * visible characters.
 */
export function setBlock(typesetter: Typesetter, text: string, mark: Mark): Block {
  const { bold, param, position } = mark
  const style = { weight: bold ? 700 : 400 }
  const { capHeight } = typesetter.mainFace(style)
  const alignment: Alignment = position.endsWith('left') ? 'left' : position.endsWith('right') ? 'right' : 'center'
  const lines = text.split('\n').map(line => {
    const shaped = typesetter.shape(line, style, `${param}.text`)
    return { shaped, ink: measureInk(shaped) }
  })
  if (lines.every(line => !line.ink))
    throw new EngineError(
      'options_invalid',
      `${param}.text: must contain visible characters, such as letters or digits.`,
      {
        param: `${param}.text`,
      },
    )
  let baseline = 0
  let above: number | undefined
  const placed = lines.map(({ shaped, ink = { left: 0, bottom: 0, right: 0, top: 0 } }) => {
    const [top, bottom] = [Math.max(capHeight, ink.top), Math.min(0, ink.bottom)]
    if (above !== undefined) baseline -= Math.max(LINE_STEP, top - above + LEAST_GAP)
    above = bottom
    const x = { left: -ink.left, center: -(ink.left + ink.right) / 2, right: -ink.right }[alignment]
    return {
      shaped,
      x,
      y: baseline,
      left: x + ink.left,
      right: x + ink.right,
      top: baseline + top,
      bottom: baseline + bottom,
    }
  })
  const [left, bottom] = [Math.min(...placed.map(line => line.left)), Math.min(...placed.map(line => line.bottom))]
  return {
    lines: placed.map(({ shaped, x, y }) => ({ shaped, x: x - left, y: y - bottom })),
    width: Math.max(...placed.map(line => line.right)) - left,
    height: Math.max(...placed.map(line => line.top)) - bottom,
  }
}

/** Returns the font size of a block on a page in points, and whether it is less than requested. */
export function chooseSize(block: Block, page: MarkSize, mark: Mark): { sizePt: number; isShrunk: boolean } {
  const angleDeg = angleOn(page, mark)
  const maxSizePt = fitFactor(block, angleDeg, freeAreaOf(page, mark)) * 1000
  if (mark.fontSize !== undefined)
    return { sizePt: Math.min(mark.fontSize, maxSizePt), isShrunk: mark.fontSize > maxSizePt }
  const isLarge = mark.position === 'center' || mark.position.startsWith('diagonal')
  const fittedSizePt = ((isLarge ? FITTED_SHARE : SMALL_SHARE) * chordOf(page, angleDeg) * 1000) / block.width
  return { sizePt: Math.min(fittedSizePt, maxSizePt, MOST_PT), isShrunk: false }
}

interface Drawn {
  document: PdfDocument
  fonts: DocumentFonts
  sizePt: number
}

/** Draws a block at a font size. */
export function drawBlock(block: Block, { color, outline }: Mark, { document, fonts, sizePt }: Drawn): Graphic {
  document.saving.addedFeatures.addColor(color)
  const fontNames = PDFDict.withContext(document.context)
  const shown = showLines(block, { fonts, sizePt, fontNames })
  const resources = document.context.obj({ Font: fontNames })
  const [width, height] = [(block.width * sizePt) / 1000, (block.height * sizePt) / 1000]
  const text = { operators: `BT\n${writeColor(color, 'rg')}\n${shown}\nET`, resources, width, height, bleed: 0 }
  return outline
    ? drawOutlines(document, { text, shown, color, widthPt: Math.max(LEAST_OUTLINE_PT, sizePt * OUTLINE_WIDTH) })
    : text
}

function showLines(
  { lines }: Block,
  { fonts, sizePt, fontNames }: Omit<Drawn, 'document'> & { fontNames: PDFDict },
): string {
  const nameFont: NameFont = ref => {
    const existing = fontNames.entries().find(([, value]) => value === ref)
    const name = existing?.[0] ?? PDFName.of(`Text${fontNames.keys().length + 1}`)
    fontNames.set(name, ref)
    return name.decodeText()
  }
  const scale = sizePt / 1000
  const visible = lines.filter(({ shaped }) => shaped.runs.length)
  return visible
    .map(
      ({ shaped, x, y }) =>
        `1 0 0 1 ${writeRounded(x * scale)} ${writeRounded(y * scale)} ` +
        `Tm\n${showText(shaped, { fonts, sizePt, nameFont })}`,
    )
    .join('\n')
}

/**
 * Draws the outlines of letters. The contours of variable fonts overlap, so stroked outlines would cross each other. A
 * soft mask therefore subtracts the letters from a wider stroke (ISO 32000-2, 11.6.5.2). The text itself is drawn
 * invisibly, so that it can be found.
 */
function drawOutlines(
  document: PdfDocument,
  { text, shown, color, widthPt }: { text: Graphic; shown: string; color: Mark['color']; widthPt: number },
): Graphic {
  const { context } = document
  document.saving.addedFeatures.add('transparency')
  const box = [-widthPt, -widthPt, text.width + 2 * widthPt, text.height + 2 * widthPt].map(writeRounded).join(' ')
  const mask = addForm(document, {
    ...text,
    operators: `BT\n1 G\n1 Tr ${writeRounded(2 * widthPt)} w 1 j\n${shown}\nET\nBT\n0 g 0 Tr\n${shown}\nET`,
    bleed: widthPt,
    group: context.obj({ Type: 'Group', S: 'Transparency', CS: 'DeviceGray' }),
  })
  const state = context.obj({ Type: 'ExtGState', SMask: { Type: 'Mask', S: 'Luminosity', G: mask } })
  const resources = copyDict(document, text.resources)
  resources.set(Name.ExtGState, context.obj({ Outline: document.register(state) }))
  return {
    ...text,
    resources,
    bleed: widthPt,
    operators: `q\n/Outline gs\n${writeColor(color, 'rg')}\n${box} re f\nQ\nBT\n3 Tr\n${shown}\nET`,
  }
}
