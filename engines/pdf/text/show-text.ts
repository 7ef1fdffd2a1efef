import { writeRounded } from '../syntax/number-text'
import type { PDFRef } from 'pdf-lib'
import { writeCode } from '../content/code-keys'
import type { DocumentFonts } from './document-fonts'
import type { ClusterRun, ShapedText } from './typesetter'

/** Returns the name of a font in the resources of the current content stream. */
export type NameFont = (font: PDFRef) => string

interface Shown {
  fonts: DocumentFonts
  nameFont: NameFont
  /** Font size, in units of the content stream. */
  sizePt: number
}

/** Returns the operators that show a line from the current text position, for use between BT and ET. */
export function showText({ runs }: ShapedText, shown: Shown): string {
  return runs
    .map(
      run =>
        `/${shown.nameFont(shown.fonts.refOf(run.face))} ${writeRounded(shown.sizePt)} Tf\n${showRun(run, shown.fonts)}`,
    )
    .join('\n')
}

/**
 * Minimum adjustment of the position, in thousandths of the font size. Smaller adjustments are added to the next one.
 */
const LEAST_MOVE = 0.5

/** Maximum number of hexadecimal digits of a string. PDF/A allows 32,767 bytes (ISO 19005-3, 6.1.13). */
const MOST_DIGITS = 64_000

function showRun({ face, clusters }: ClusterRun, fonts: DocumentFonts): string {
  const items: string[] = []
  let codes = ''
  /** Distance by which the pen must still move, beyond the advance widths of the codes. */
  let debt = 0
  for (const cluster of clusters) {
    if (Math.abs(debt) >= LEAST_MOVE || codes.length >= MOST_DIGITS) {
      const move = Math.round(debt * 10) / 10
      items.push(`<${codes}>`, writeRounded(-move))
      codes = ''
      debt -= move
    }
    codes += writeCode(fonts.encode(face, cluster), 2)
    debt += cluster.advance - face.advanceOf(cluster)
  }
  items.push(`<${codes}>`)
  if (Math.abs(debt) >= LEAST_MOVE) items.push(writeRounded(-debt))
  return items.length === 1 ? `${items[0]} Tj` : `[${items.join(' ')}] TJ`
}
