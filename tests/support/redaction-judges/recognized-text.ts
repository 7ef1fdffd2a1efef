import { openDocument } from '../../../engines/pdf/open-save/open'
import { openRenderer } from '../../../engines/pdf/rendering/render'
import { PdfWriter } from '../../fixtures/pdf-writer'
import { LIMITS, runOn } from '../run-on'

/** The resolution of rendered pages, in DPI. */
const DPI = 216

/** The block size in pixels. The brightest part of a block counts as paper. */
const BLOCK = 24

/** Areas darker than this stay unchanged, because they are boxes, not shadows. */
const DARKEST_PAPER = 40

interface GrayPage {
  width: number
  height: number
  pixels: Uint8Array
}

/** The text that recognition reads on the rendered pages after removing shadows of the paper. */
export async function recognizeText(file: Uint8Array): Promise<string> {
  const document = openDocument(new Uint8Array(file), LIMITS)
  const renderer = await openRenderer(document)
  const pages = document.pages.map((_, index) => {
    const { width, height, pixels } = renderer.draw(index, { dpi: DPI, color: 'gray', annotations: true })
    return flatten({ width, height, pixels })
  })
  renderer.close()
  const { bytes } = await runOn('pdf-ocr', writePages(pages), { outputFormat: 'text', dpi: DPI })
  return bytes.toString('utf8')
}

/** The page on white paper. Each pixel is divided by the brightest pixels around it. */
function flatten({ width, height, pixels }: GrayPage): GrayPage {
  const [columns, rows] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)]
  const brightest = new Uint8Array(columns * rows)
  for (let at = 0; at < pixels.length; at++) {
    const block = Math.floor(at / width / BLOCK) * columns + Math.floor((at % width) / BLOCK)
    brightest[block] = Math.max(brightest[block] ?? 0, pixels[at] ?? 0)
  }
  const paper = (x: number, y: number): number => {
    const [left, top] = [
      Math.max(0, Math.min(columns - 1, Math.floor(x))),
      Math.max(0, Math.min(rows - 1, Math.floor(y))),
    ]
    const [right, bottom] = [Math.min(columns - 1, left + 1), Math.min(rows - 1, top + 1)]
    const [across, down] = [Math.min(1, Math.max(0, x - left)), Math.min(1, Math.max(0, y - top))]
    const mix = (row: number): number =>
      (brightest[row * columns + left] ?? 0) * (1 - across) + (brightest[row * columns + right] ?? 0) * across
    return mix(top) * (1 - down) + mix(bottom) * down
  }
  const flat = pixels.map((level, at) => {
    const shade = paper((at % width) / BLOCK - 0.5, Math.floor(at / width) / BLOCK - 0.5)
    return shade < DARKEST_PAPER ? level : Math.min(255, Math.round((level * 255) / shade))
  })
  return { width, height, pixels: flat }
}

function writePages(pages: readonly GrayPage[]): Buffer {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const kids = pages.map(({ width, height, pixels }) => {
    const image = pdf.addStream(
      `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8`,
      pixels,
    )
    const [across, up] = [(width * 72) / DPI, (height * 72) / DPI]
    const content = pdf.addStream('', `q ${across} 0 0 ${up} 0 0 cm /I Do Q`)
    return (
      `${pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${across} ${up}]/Contents ${content} 0 R/Resources<</XObject<</I ${image} 0 R>>>>>>`)} ` +
      '0 R'
    )
  })
  pdf.set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return pdf.write({ root })
}
