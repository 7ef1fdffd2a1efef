import { openDocument } from '../../../engines/pdf/open-save/open'
import { openRenderer } from '../../../engines/pdf/rendering/render'
import { PdfWriter } from '../../fixtures/pdf-writer'
import { makePrint, SCAN_SIZE } from '../../fixtures/scan'
import { LIMITS } from '../../support/run-on'
import type { Construction, TrapGroup } from '../trap'
import { makeFontFile } from './embedded-fonts'
import { READ_BY_RECOGNITION } from './unmapped-text'

/** Syllables that recognition reads well. */
const SYLLABLES = [
  'mar',
  'den',
  'bur',
  'ston',
  'gal',
  'nor',
  'wen',
  'ham',
  'per',
  'tur',
  'fen',
  'das',
  'rup',
  'ken',
  'sol',
  'bran',
]

/** A word like a surname, derived from a secret. */
function makeSurname(secret: string): string {
  const word = Array.from(
    { length: 3 },
    (_, index) => SYLLABLES[(secret.charCodeAt(index * 3) + index * 5) % SYLLABLES.length] ?? '',
  ).join('')
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** The brightness factor of the paper at a position, from 0 to 1 across and down. The print is multiplied by it. */
const PAPERS: Record<string, (x: number, y: number) => number> = {
  'a flat scan': () => 1,
  'a scan on a gradient': x => 1 - 0.8 * x,
  'a scan on a gradient from the top': (_, y) => 0.25 + 0.75 * y,
  'a scan with a shadow': (x, y) => (x + y > 1.1 ? 0.45 : 1),
  'a scan on a dark patch': (x, y) => (Math.hypot(x - 0.4, y - 0.4) < 0.35 ? 0.35 : 0.95),
}

/** The paper of the scan that `npm test` redacts. A flat scan is easier to read, and shadows are like a gradient. */
const MAIN_PAPER = 'a scan on a gradient'

/** The resolution of the scans, in DPI. */
const DPI = 150

/** A page that is one image of printed lines on this paper. */
async function makeScanOn(paper: (x: number, y: number) => number, lines: string[]): Promise<Buffer> {
  const renderer = await openRenderer(openDocument(new Uint8Array(makePrint({ lines })), LIMITS))
  const { width, height, pixels } = renderer.draw(0, { dpi: DPI, color: 'gray', annotations: false })
  renderer.close()
  const shaded = pixels.map((level, at) =>
    Math.round(level * paper((at % width) / width, Math.floor(at / width) / height)),
  )
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const image = pdf.addStream(
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8`,
    shaded,
  )
  const content = pdf.addStream('', `q ${SCAN_SIZE.width} 0 0 ${SCAN_SIZE.height} 0 0 cm /I Do Q`)
  const page = pdf.add(
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${SCAN_SIZE.width} ${SCAN_SIZE.height}]/Contents ${content} 0 ` +
      `R/Resources<</XObject<</I ${image} 0 R>>>>>>`,
  )
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return pdf.write({ root })
}

function makeRecognized(
  name: string,
  make: (surname: string) => Buffer | Promise<Buffer>,
  { isSlow = false } = {},
): Construction {
  return {
    isSlow,
    name: `recognition: ${name}`,
    variants: 1,
    async make(secret) {
      const surname = makeSurname(secret)
      return {
        file: await make(surname),
        options: { search: [{ text: surname }], ocr: true },
        gone: [surname],
        stays: [],
        seenBy: ['recognition'],
      }
    },
  }
}

export const RECOGNITION: TrapGroup = {
  name: 'Text that recognition reads',
  cause: 'Scans on shaded paper, and rendered text without a mapping, searched with `ocr`.',
  constructions: [
    ...Object.entries(PAPERS).map(([name, paper]) =>
      makeRecognized(
        name,
        surname =>
          makeScanOn(paper, [
            `The letter from ${surname}`,
            'was found in the office',
            `and ${surname} signed it`,
            'before the end of May',
          ]),
        { isSlow: name !== MAIN_PAPER },
      ),
    ),
    ...READ_BY_RECOGNITION.map(({ name, add }) =>
      makeRecognized(name, surname => makeFontFile(add, { secret: surname, way: { isSearched: true, subset: 'own' } })),
    ),
  ],
}
