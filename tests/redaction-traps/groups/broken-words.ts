import { PdfWriter } from '../../fixtures/pdf-writer'
import { fromDrafts } from '../draft'
import type { Draft } from '../draft'
import type { Construction, TrapGroup } from '../trap'

/** A page of Courier text, from lines with their positions. */
function showLines(lines: [x: number, y: number, text: string][], isOneBlock = false): Draft {
  const shows = lines.map(([x, y, text]) =>
    isOneBlock ? `1 0 0 1 ${x} ${y} Tm (${text}) Tj` : `BT /F 10 Tf ${x} ${y} Td (${text}) Tj ET`,
  )
  return {
    parts: { content: isOneBlock ? `BT /F 10 Tf ${shows.join(' ')} ET` : shows.join('\n') },
    seenBy: ['pdfium', 'pdfjs'],
  }
}

/** A phrase of two words, or a word in two parts, in an arrangement of lines. */
function acrossLines(
  name: string,
  arrange: ((first: string, second: string) => Draft)[],
  asked: (first: string, second: string) => string,
): Construction {
  return fromDrafts(
    `matching: ${name}`,
    arrange.map(make => secret => {
      const [first, second] = [secret.slice(0, 6), secret.slice(6)]
      return { options: { search: [{ text: asked(first, second) }] }, gone: [first, second], ...make(first, second) }
    }),
  )
}

/** Two or three pages with one line each. */
function makePages(lines: [y: number, text: string][][]): Draft {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')
  const kids = lines.map(page => {
    const content = pdf.addStream('', page.map(([y, text]) => `BT /F 12 Tf 30 ${y} Td (${text}) Tj ET`).join('\n'))
    return (
      `${pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 400 300]/Contents ${content} 0 R/Resources<</Font<</F ${font} 0 R>>>>>>`)} ` +
      '0 R'
    )
  })
  pdf.set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return { file: pdf.write({ root }), seenBy: ['pdfium', 'pdfjs'] }
}

export const BROKEN_WORDS: TrapGroup = {
  name: 'Words and phrases with line breaks',
  cause: 'Words and phrases that continue on the next line, in the next column or on the next page.',
  constructions: [
    acrossLines(
      'a phrase over two lines',
      [
        (a, b) =>
          showLines([
            [30, 150, `x ${a}`],
            [30, 138, `${b} y`],
          ]),
        (a, b) =>
          showLines(
            [
              [30, 150, `x ${a}`],
              [30, 138, `${b} y`],
            ],
            true,
          ),
        (a, b) =>
          showLines([
            [180, 150, a],
            [30, 126, b],
          ]),
      ],
      (a, b) => `${a} ${b}`,
    ),
    acrossLines(
      'a word with a hyphen at the line end',
      [
        (a, b) =>
          showLines([
            [180, 150, `${a}-`],
            [30, 138, `${b} y`],
          ]),
        (a, b) =>
          showLines(
            [
              [180, 150, `${a}-`],
              [30, 138, `${b} y`],
            ],
            true,
          ),
        (a, b) =>
          showLines([
            [180, 150, `${a}\\255`],
            [30, 138, `${b} y`],
          ]),
      ],
      (a, b) => a + b,
    ),
    acrossLines(
      'a phrase over two columns',
      [
        (a, b) =>
          showLines(
            [
              [20, 180, 'one two three'],
              [20, 168, `four ${a}`],
              [160, 180, `${b} five`],
              [160, 168, 'six seven'],
            ],
            true,
          ),
        (a, b) =>
          showLines([
            [20, 180, 'one two three'],
            [20, 168, 'four five six'],
            [20, 156, `six ${a}`],
            [160, 180, `${b} five`],
            [160, 168, 'six seven'],
          ]),
      ],
      (a, b) => `${a} ${b}`,
    ),
    acrossLines(
      'a phrase over two pages',
      [
        (a, b) => ({
          ...makePages([
            [
              [270, 'BESIDE'],
              [30, `signed ${a}`],
            ],
            [[270, `${b} and more`]],
          ]),
        }),
        (a, b) => ({
          ...makePages([
            [
              [270, 'BESIDE'],
              [30, a],
            ],
            [[270, b]],
          ]),
        }),
        (a, b) => ({
          ...makePages([
            [
              [270, 'BESIDE'],
              [60, `signed ${a}`],
              [20, '1'],
            ],
            [
              [270, `${b} and more`],
              [20, '2'],
            ],
          ]),
        }),
      ],
      (a, b) => `${a} ${b}`,
    ),
    acrossLines(
      'a word with a hyphen at the page end',
      [
        (a, b) => ({
          ...makePages([
            [
              [270, 'BESIDE'],
              [30, `signed ${a}-`],
            ],
            [[270, `${b} and more`]],
          ]),
        }),
      ],
      (a, b) => a + b,
    ),
  ],
}
