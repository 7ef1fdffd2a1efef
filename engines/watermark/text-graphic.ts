import { writeRounded } from '../pdf-core/syntax/number-text'
import { PDFDict, PDFName } from 'pdf-lib'
import { EngineError } from '../errors'
import { writeColor } from '../options/colors'
import type { PdfDocument } from '../pdf-core/document/document'
import type { DocumentFonts } from '../text/document-fonts'
import { showText } from '../text/show-text'
import type { NameFont } from '../text/show-text'
import { measureInk } from '../text/typesetter'
import type { ShapedText, Typesetter } from '../text/typesetter'
import { addForm } from './graphic'
import type { Graphic } from './graphic'
import type { Mark } from './options'
import { angleOn, chordOf, fitFactor, freeAreaOf } from './placement'
import type { MarkSize } from './placement'
import * as Name from '../pdf-core/syntax/names'

/** From baseline to baseline, and the least that stays free between two lines, in thousandths of the font size. */
const LINE_STEP = 1200
const LEAST_GAP = 120

/** Of the lines around letters, as a part of the font size, and at least in points. */
const OUTLINE_WIDTH = 0.012
const LEAST_OUTLINE_PT = 0.2

/** What fitted text fills of the diagonal or of the page's extent in its direction. */
const FITTED_SHARE = 0.7
/** The same at the edges and in tiles. */
const SMALL_SHARE = 0.3

const MOST_PT = 500

/** A line at its place in a block. */
interface PlacedLine {
  shaped: ShapedText
  x: number
  y: number
}

/** Lines as one thing with the lower-left corner of what is drawn at 0,0; in thousandths of the font size. */
export interface Block extends MarkSize {
  lines: PlacedLine[]
}

type Alignment = 'left' | 'center' | 'right'

/**
 * Sets the lines of a mark's text. Throws EngineError `bad-options` for characters that no font has, or for a text that
 * draws nothing.
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
    throw new EngineError('bad-options', `${param}.text: draws nothing; write letters, figures or signs`, {
      param: `${param}.text`,
    })
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

/** The font size in points that a block has on a page, and whether that is less than was asked for. */
export function chooseSize(block: Block, page: MarkSize, mark: Mark): { sizePt: number; isShrunk: boolean } {
  const angleDeg = angleOn(page, mark)
  const most = fitFactor(block, angleDeg, freeAreaOf(page, mark)) * 1000
  if (mark.fontSize !== undefined) return { sizePt: Math.min(mark.fontSize, most), isShrunk: mark.fontSize > most }
  const isLarge = mark.position === 'center' || mark.position.startsWith('diagonal')
  const wanted = ((isLarge ? FITTED_SHARE : SMALL_SHARE) * chordOf(page, angleDeg) * 1000) / block.width
  return { sizePt: Math.min(wanted, most, MOST_PT), isShrunk: false }
}

interface Drawn {
  document: PdfDocument
  fonts: DocumentFonts
  sizePt: number
}

/** The block as something to be drawn, at a size. */
export function drawBlock(block: Block, { color, outline }: Mark, { document, fonts, sizePt }: Drawn): Graphic {
  document.addedFeatures.addColor(color)
  const named = PDFDict.withContext(document.context)
  const shown = showLines(block, { fonts, sizePt, named })
  const resources = document.context.obj({ Font: named })
  const [width, height] = [(block.width * sizePt) / 1000, (block.height * sizePt) / 1000]
  const text = { operators: `BT\n${writeColor(color, 'rg')}\n${shown}\nET`, resources, width, height, bleed: 0 }
  return outline
    ? drawOutlines(document, { text, shown, color, widthPt: Math.max(LEAST_OUTLINE_PT, sizePt * OUTLINE_WIDTH) })
    : text
}

function showLines({ lines }: Block, { fonts, sizePt, named }: Omit<Drawn, 'document'> & { named: PDFDict }): string {
  const nameFont: NameFont = ref => {
    const known = named.entries().find(([, value]) => value === ref)
    const name = known?.[0] ?? PDFName.of(`Text${named.keys().length + 1}`)
    named.set(name, ref)
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
 * Only what lies around letters: their shapes overlap inside (variable fonts are drawn so), so that lines along them
 * would cross each other. A soft mask takes the letters away from a wider line (ISO 32000-2, 11.6.5.2); the text itself
 * is there unseen, to be found.
 */
function drawOutlines(
  document: PdfDocument,
  { text, shown, color, widthPt }: { text: Graphic; shown: string; color: Mark['color']; widthPt: number },
): Graphic {
  const { context } = document
  document.addedFeatures.add('transparency')
  const box = [-widthPt, -widthPt, text.width + 2 * widthPt, text.height + 2 * widthPt].map(writeRounded).join(' ')
  const mask = addForm(document, {
    ...text,
    operators: `BT\n1 G\n1 Tr ${writeRounded(2 * widthPt)} w 1 j\n${shown}\nET\nBT\n0 g 0 Tr\n${shown}\nET`,
    bleed: widthPt,
    group: context.obj({ Type: 'Group', S: 'Transparency', CS: 'DeviceGray' }),
  })
  const state = context.obj({ Type: 'ExtGState', SMask: { Type: 'Mask', S: 'Luminosity', G: mask } })
  const resources = PDFDict.fromMapWithContext(new Map(text.resources.entries()), context)
  resources.set(Name.ExtGState, context.obj({ Outline: document.register(state) }))
  return {
    ...text,
    resources,
    bleed: widthPt,
    operators: `q\n/Outline gs\n${writeColor(color, 'rg')}\n${box} re f\nQ\nBT\n3 Tr\n${shown}\nET`,
  }
}
