import { openDocument } from '../../engines/pdf/open-save/open'
import { openRenderer } from '../../engines/pdf/rendering/render'
import { PdfWriter } from '../fixtures/pdf-writer'
import { LIMITS } from '../support/run-on'

/** The print on the paper, in points. */
interface Print {
  size: number
  leading: number
  columns: number
  rows: number
  /** Letters per line. */
  letters: number
}

/** The contents of scans: a letter, and a magazine page in two columns. */
export const PRINTS = {
  letter: { size: 12, leading: 18, columns: 1, rows: 14, letters: 70 },
  magazine: { size: 9.5, leading: 12, columns: 2, rows: 54, letters: 44 },
} satisfies Record<string, Print>

const [WIDTH, HEIGHT, MARGIN] = [595, 842, 60]
const SCAN_DPI = 300

const WORDS =
  `lighthouse keeper wrote one line each evening before the lamp was lit and stairs went dark on third of March he counted ships noted that wind had turned from west to
north nobody read these books until tower sold then a child found volumes under floor invoice number still pinned door quiet rivers carry apples home harvest begins in
September when orchards smell of rain children climb ladders with baskets while old women sort fruit by color size market opens at six bread sells first`.split(
    /\s+/,
  )

/** Scanned pages of print: grayscale images at 300 DPI without any text. Always the same. */
export async function makeScans(print: Print, pageCount: number): Promise<Buffer> {
  const source = await openRenderer(openDocument(new Uint8Array(setPages(print, pageCount)), LIMITS))
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const kids: string[] = []
  for (let index = 0; index < pageCount; index++) {
    const { width, height, pixels } = source.draw(index, { dpi: SCAN_DPI, color: 'gray', annotations: false })
    const image = pdf.addStream(
      `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8`,
      pixels,
    )
    const content = pdf.addStream('', `q ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /P Do Q`)
    kids.push(
      `${pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]/Contents ${content} 0 R/Resources<</XObject<</P ${image} 0 R>>>>>>`)} ` +
        '0 R',
    )
  }
  source.close()
  return finish(pdf, { root, tree, kids })
}

/** The same pages as text. */
function setPages({ size, leading, columns, rows, letters }: Print, pageCount: number): Buffer {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>')
  const kids: string[] = []
  let state = 20_261_121
  const nextWord = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return WORDS[state % WORDS.length] ?? ''
  }
  for (let index = 0; index < pageCount; index++) {
    const lines: string[] = []
    for (let column = 0; column < columns; column++) {
      const x = MARGIN + (column * (WIDTH - 2 * MARGIN)) / columns
      for (let row = 0; row < rows; row++) {
        let line = nextWord()
        for (let word = nextWord(); line.length + word.length < letters; word = nextWord()) line += ` ${word}`
        lines.push(`BT /F1 ${size} Tf ${x} ${HEIGHT - MARGIN - size - row * leading} Td (${line}) Tj ET`)
      }
    }
    const content = pdf.addStream('', lines.join('\n'))
    kids.push(
      `${pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]/Contents ${content} 0 R/Resources<</Font<</F1 ${font} 0 R>>>>>>`)} ` +
        '0 R',
    )
  }
  return finish(pdf, { root, tree, kids })
}

function finish(pdf: PdfWriter, { root, tree, kids }: { root: number; tree: number; kids: string[] }): Buffer {
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  pdf.set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`)
  return pdf.write({ root })
}
