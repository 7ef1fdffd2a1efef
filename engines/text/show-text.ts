import { writeRounded } from '../pdf-core/syntax/number-text'
import type { PDFRef } from 'pdf-lib'
import { writeCode } from '../pdf-core/content/code-keys'
import type { DocumentFonts } from './document-fonts'
import type { ClusterRun, ShapedText } from './typesetter'

/** Gives a font its name in the resources of the content that is written. */
export type NameFont = (font: PDFRef) => string

interface Shown {
  fonts: DocumentFonts
  nameFont: NameFont
  /** In units of the content that the operators stand in. */
  sizePt: number
}

/** The operators that show a line from the current text position, for use between BT and ET. */
export function showText({ runs }: ShapedText, shown: Shown): string {
  return runs
    .map(
      run =>
        `/${shown.nameFont(shown.fonts.refOf(run.face))} ${writeRounded(shown.sizePt)} Tf\n${showRun(run, shown.fonts)}`,
    )
    .join('\n')
}

/** Moves of less than this wait for the next one, in thousandths of the font size. */
const LEAST_MOVE = 0.5

function showRun({ face, clusters }: ClusterRun, fonts: DocumentFonts): string {
  const items: string[] = []
  let codes = ''
  /** How far the pen should have moved on beyond what the codes move it. */
  let debt = 0
  for (const cluster of clusters) {
    if (Math.abs(debt) >= LEAST_MOVE) {
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
