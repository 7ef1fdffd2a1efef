import { RawPdf } from './raw-pdf'

/** The term that the redaction jobs search for. */
export const TERM = 'Quimby4471'

/** Lines of text per page, and the number of lines with the term. */
const LINES = 40
const HITS = 8

const WORDS = (
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore ' +
  'magna aliqua'
).split(' ')

/** A text document with the term eight times per page. */
export function makeRedactionFile(pageCount: number): Buffer {
  const pdf = new RawPdf()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  const pages = Array.from({ length: pageCount }, (_, index) => {
    const contents = pdf.addStream('', Buffer.from(writePage(index)))
    return pdf.add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 595 842]/Contents ${contents} 0 R/Resources<</Font<</F ${font} ` +
        '0 R>>>>>>',
    )
  })
  pdf.set(tree, `<</Type/Pages/Count ${pageCount}/Kids[${pages.map(page => `${page} 0 R`).join(' ')}]>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return pdf.writeTable(root)
}

function writePage(index: number): string {
  const lines = Array.from({ length: LINES }, (_, line) => {
    const words = Array.from(
      { length: 11 },
      (_word, at) => WORDS[(index * 7 + line * 13 + at * 5) % WORDS.length] as string,
    )
    if (line % (LINES / HITS) === 0) words.splice(5, 0, TERM)
    return `BT /F 9 Tf 40 ${800 - line * 18} Td (${words.join(' ')}) Tj ET`
  })
  return lines.join('\n')
}
