import { writeRounded } from '../../../pdf/syntax'
import type { PdfDocument } from '../../../pdf/document'
import { frameMatrix } from '../../../pdf/geometry'
import type { Box } from '../../../pdf/geometry'
import { PageContent } from '../../../pdf/rewrite-content'
import { fontsOf, openParagraph, openTypesetter, showText, stackLines } from '../../../pdf/typeset'
import type { ShapedText, TextBlock, Typesetter } from '../../../pdf/typeset'
import * as Name from '../../../pdf/names'
import { writeColor } from '../../../options/colors'
import type { Color } from '../../../options/colors'
import type { RedactionArea, PageAreas } from './areas'

/** Default maximum text size in points, and the minimum size of any text. */
const LARGEST_PT = 24
const SMALLEST_PT = 1

/** Minimum ratio of height to width at which text in a box may be rotated. */
const NARROW = 1.5

/** The share of a box's width and height that text may fill. */
const SHARE = 0.92

/** The appearance of boxes. */
export interface BoxLook {
  color: Color
  /** The color of replacement texts. If omitted, black or white, whichever has more contrast. */
  textColor?: Color | undefined
  /**
   * The size of replacement texts in points. A text that doesn't fit becomes smaller. If omitted, each text is as large
   * as fits, up to 24 points.
   */
  fontSize?: number | undefined
  /** Whether replacement texts are repeated until they fill their boxes. */
  repeatText?: boolean
}

/** Returns the color of replacement texts. */
export function textColorOf({ color, textColor }: BoxLook): Color {
  if (textColor) return textColor
  // Relative luminance (WCAG 2, simplified): white text has more contrast on every color below 0.18.
  const [r, g, b] = [color.r, color.g, color.b].map(part => (part / 255) ** 2.2)
  const luminance = 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
  return luminance < 0.18 ? { r: 255, g: 255, b: 255 } : { r: 0, g: 0, b: 0 }
}

/**
 * Draws an opaque box over each area of the pages, and its replacement text inside the box. Throws EngineError
 * `options_invalid` for characters that are missing from all fonts.
 */
export async function drawBoxes(document: PdfDocument, pages: readonly PageAreas[], look: BoxLook): Promise<void> {
  const isWritten = pages.some(page => page.areas.some(area => area.replacementText !== undefined))
  const setter = isWritten ? new BoxSetter(await openTypesetter(), look) : undefined
  for (const { index, frame, areas } of pages) {
    const page = document.pages[index]
    if (!page || areas.every(({ box }) => !box)) continue
    const content = new PageContent(document, page)
    const boxes = areas.flatMap(({ box }) =>
      box ? [`${[box.x, box.y, box.width, box.height].map(writeRounded).join(' ')} re f`] : [],
    )
    const texts: string[] = []
    for (const area of areas) {
      const text = await setter?.set(area)
      if (text && area.box) texts.push(drawText(text, area.box, { document, content, look }))
    }
    const matrix = frameMatrix(frame).map(number => String(Math.round(number * 1e6) / 1e6))
    content.drawOver(
      [`${matrix.join(' ')} cm`, '/Artifact BMC', writeColor(look.color, 'rg'), ...boxes, 'EMC', ...texts].join('\n'),
    )
    content.write()
  }
}

interface SetText {
  block: TextBlock
  sizePt: number
  /** Whether the text is rotated to run from top to bottom, in a tall and narrow box. */
  isTurned: boolean
}

/** Fits texts into boxes. The layout of a text is reused for boxes of the same size. */
class BoxSetter {
  private readonly fittedTexts = new Map<string, SetText>()

  constructor(
    private readonly typesetter: Typesetter,
    private readonly look: BoxLook,
  ) {}

  async set({ replacementText, box, param }: RedactionArea): Promise<SetText | undefined> {
    if (replacementText === undefined || !box) return undefined
    const key = `${box.width} ${box.height} ${replacementText}`
    const fitted = this.fittedTexts.get(key) ?? (await this.choose(replacementText, box, param))
    this.fittedTexts.set(key, fitted)
    return fitted
  }

  private async choose(text: string, { width, height }: Box, param: string): Promise<SetText> {
    const upright = { ...(await this.fit(text, { width, height }, param)), isTurned: false }
    if (height < width * NARROW) return upright
    const turned = { ...(await this.fit(text, { width: height, height: width }, param)), isTurned: true }
    return turned.sizePt > upright.sizePt ? turned : upright
  }

  private async fit(
    text: string,
    { width, height }: { width: number; height: number },
    param: string,
  ): Promise<Omit<SetText, 'isTurned'>> {
    const { typesetter, look } = this
    const paragraph = await openParagraph(typesetter, text, { param })
    const [across, up] = [width * SHARE * 1000, height * SHARE * 1000]
    const layOut = (sizePt: number): TextBlock =>
      stackLines(paragraph.layOut(Math.max(1, across / sizePt)), typesetter.mainFace())
    const fits = ({ width: blockWidth, height: blockHeight }: TextBlock, sizePt: number): boolean =>
      blockWidth * sizePt <= across && blockHeight * sizePt <= up && paragraph.widestWord * sizePt <= across
    const most = look.fontSize ?? LARGEST_PT
    const largest = layOut(most)
    if (fits(largest, most)) return { block: largest, sizePt: most }
    let [low, high] = [0, most]
    for (let step = 0; step < 12; step++) {
      const middle = (low + high) / 2
      if (middle >= SMALLEST_PT && fits(layOut(middle), middle)) low = middle
      else high = middle
    }
    if (low >= SMALLEST_PT) return { block: layOut(low), sizePt: low }
    // The box is too small for readable text, so the whole text becomes one line, as large as possible.
    const block = stackLines([typesetter.shape(text.replaceAll('\n', ' '), {}, param)], typesetter.mainFace())
    return { block, sizePt: Math.min(across / Math.max(1, block.width), up / Math.max(1, block.height)) }
  }
}

function drawText(
  { block, sizePt, isTurned }: SetText,
  box: Box,
  { document, content, look }: { document: PdfDocument; content: PageContent; look: BoxLook },
): string {
  const scale = sizePt / 1000
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2]
  const line = (shaped: ShapedText, index: number): string => {
    if (shaped.runs.length === 0) return ''
    const across = (-shaped.width * scale) / 2
    const up = (block.height / 2 - (block.baselines[index] ?? 0)) * scale
    const [x, y] = isTurned ? [middleX + up, middleY - across] : [middleX + across, middleY + up]
    const shown = showText(shaped, {
      fonts: fontsOf(document),
      sizePt,
      nameFont: ref => content.name(Name.Font, 'Text', ref),
    })
    return `${isTurned ? '0 -1 1 0' : '1 0 0 1'} ${writeRounded(x)} ${writeRounded(y)} Tm\n${shown}`
  }
  return ['BT', writeColor(textColorOf(look), 'rg'), ...block.lines.map(line), 'ET'].join('\n')
}
