import { frameMatrix } from '../../pdf/geometry'
import type { Frame } from '../../pdf/geometry'
import { writeNumbers, writeRounded } from '../../pdf/syntax'
import type { PageContent } from '../../pdf/rewrite-content'
import type { DocumentFonts, TextBlock } from '../../pdf/typeset'
import { showText } from '../../pdf/typeset'
import * as Name from '../../pdf/names'

/** Subtype of a pagination artifact (ISO 32000-2, table 363). */
export type ArtifactKind = 'Header' | 'Footer' | 'PageNum' | 'Bates'

/**
 * Draws over a page, in points of the page as displayed. The content is marked as an artifact, so screen readers skip
 * it (ISO 32000-2, 14.8.2.2).
 */
export function drawArtifact(
  content: PageContent,
  frame: Frame,
  { kind, operators }: { kind: ArtifactKind; operators: string },
): void {
  content.drawOver(
    `${writeNumbers(frameMatrix(frame))} cm\n/Artifact <</Type /Pagination /Subtype /${kind}>> BDC\n${operators}\nEMC`,
  )
}

interface Placed {
  /** Left and upper edge of the block, in points of the page as displayed. */
  x: number
  top: number
  sizePt: number
  align: 'left' | 'center' | 'right'
  /** Width in points of the area in which lines are aligned. Default: the width of the block. */
  widthPt?: number
  fonts: DocumentFonts
}

/** Returns the operators that show a block of lines. */
export function showBlock(
  content: PageContent,
  block: TextBlock,
  { x, top, sizePt, align, widthPt, fonts }: Placed,
): string {
  const scale = sizePt / 1000
  const space = widthPt ?? block.width * scale
  const share = { left: 0, center: 0.5, right: 1 }[align]
  const lines = block.lines.map((line, index) => {
    const left = x + (space - line.width * scale) * share
    const baseline = top - (block.baselines[index] ?? 0) * scale
    return (
      `1 0 0 1 ${writeRounded(left)} ${writeRounded(baseline)} ` +
      `Tm\n${showText(line, { fonts, sizePt, nameFont: ref => content.name(Name.Font, 'Text', ref) })}`
    )
  })
  return `BT\n${lines.join('\n')}\nET`
}
