import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { runOn } from '../support/run-on'
import { RawPdf } from './raw-pdf'
import { makeRedactionFile } from './redaction-files'

interface FileShape {
  pageCount: number
  /** Lines of text per page. */
  lines: number
  /** A page with an image comes after every n pages. 0 for none. */
  imageEvery: number
  /** Width and height of an image with incompressible pixels. */
  imagePixels: number
  /** Links per page. Each is an annotation with a separate action. */
  links: number
  /** Tagged paragraphs per page. */
  paragraphs: number
  /** The number of all objects. Small drawings that the pages use make up the rest. */
  objectCount?: number
  isCompressed?: boolean
}

const MEDIUM = {
  pageCount: 200,
  lines: 45,
  imageEvery: 1,
  imagePixels: 123,
  links: 15,
  paragraphs: 45,
  objectCount: 20_500,
}
const LARGE = { pageCount: 2400, lines: 79, imageEvery: 0, imagePixels: 0, links: 0, paragraphs: 0 }

/** The files of the benchmark by name, with the same bytes every time. */
export const FILES = {
  /** 12 MB, 200 pages with images, links, tags and drawings: 20,500 objects. */
  medium: () => makeFile(MEDIUM),
  /** The same document with object streams. */
  mediumCompressed: () => makeFile({ ...MEDIUM, isCompressed: true }),
  /** 6 MB, 2,400 pages of text. */
  large: () => makeFile(LARGE),
  largeCompressed: () => makeFile({ ...LARGE, isCompressed: true }),
  /** 70 KB, 8 pages. */
  small: () => makeFile({ pageCount: 8, lines: 45, imageEvery: 8, imagePixels: 132, links: 2, paragraphs: 0 }),
  /** 50 KB, 4 pages. */
  letter: () => makeFile({ pageCount: 4, lines: 45, imageEvery: 4, imagePixels: 117, links: 2, paragraphs: 0 }),
  /** 40 MB, 40 pages with a full-page image each. */
  scans: () => makeFile({ pageCount: 40, lines: 2, imageEvery: 1, imagePixels: 590, links: 0, paragraphs: 0 }),
  /** 74 MB: just under 100 MB as JSON. */
  huge: () => makeFile({ pageCount: 74, lines: 2, imageEvery: 1, imagePixels: 577, links: 0, paragraphs: 0 }),
  /** 160 MB, 160 pages with a full-page image each. */
  giant: () => makeFile({ pageCount: 160, lines: 2, imageEvery: 1, imagePixels: 577, links: 0, paragraphs: 0 }),
  /** One page, and 200 pages, with a term to redact eight times per page. */
  redactionPage: () => makeRedactionFile(1),
  redactionPages: () => makeRedactionFile(200),
  /** The medium file, encrypted with the password `user`. */
  mediumLocked: () => lock(makeFile(MEDIUM)),
  /** The medium file with one page less. */
  mediumChanged: () => makeFile({ ...MEDIUM, pageCount: MEDIUM.pageCount - 1 }),
  /** A photo of 0.8 megapixels, as JPEG. */
  photo: () => readFileSync('public/samples/receipt.jpg'),
  /** A photo of 48 megapixels, as JPEG. */
  largePhoto: () => sharp('public/samples/receipt.jpg').resize(6000, 8000, { fit: 'fill' }).jpeg().toBuffer(),
  /** A letter on grainy paper, scanned in color at 600 DPI: 35 megapixels as JPEG, and a PDF with this image. */
  scanImage: scanLetter,
  scan: async () => (await runOn('images-to-pdf', await scanLetter(), { pageSize: 'A4' })).bytes,
} satisfies Record<string, () => Buffer | Promise<Buffer>>

async function lock(file: Buffer): Promise<Buffer> {
  const { bytes } = await runOn('protect-pdf', file, { userPassword: 'user', ownerPassword: 'owner' })
  return bytes
}

async function scanLetter(): Promise<Buffer> {
  const letter = makeFile({ pageCount: 1, lines: 45, imageEvery: 1, imagePixels: 117, links: 2, paragraphs: 0 })
  const { bytes } = await runOn('pdf-to-images', letter, { dpi: 600, format: 'jpeg' }, { maxPixels: 40e6 })
  const random = startRandom(1)
  const side = 512
  const grain = Buffer.from(Array.from({ length: side * side * 3 }, () => 232 + (random() % 24)))
  return sharp(bytes)
    .composite([{ input: grain, raw: { width: side, height: side, channels: 3 }, tile: true, blend: 'multiply' }])
    .jpeg({ quality: 80 })
    .toBuffer()
}

export type FileName = keyof typeof FILES

function makeFile(shape: FileShape): Buffer {
  const pdf = new RawPdf()
  const random = startRandom(shape.pageCount)
  const root = pdf.reserve()
  const pages = Array.from({ length: shape.pageCount }, () => pdf.reserve())
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  const bold = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>')
  const tags = shape.paragraphs > 0 ? pdf.reserve() : undefined
  const tree = addPageTree(pdf, pages)
  const outline = addOutline(pdf, pages)
  const contents = pages.map((_, index) => pdf.addStream('', Buffer.from(writeText(shape, random, index), 'latin1')))
  const images = pages.map((_, index) =>
    shape.imageEvery > 0 && index % shape.imageEvery === 0 ? addImage(pdf, random, shape.imagePixels) : undefined,
  )
  const links = pages.map((_, index) => addLinks(pdf, shape.links, pages, index))
  if (tags !== undefined) addTags(pdf, tags, pages, shape.paragraphs)
  const drawings = addDrawings(pdf, shape, pages.length)
  pages.forEach((page, index) => {
    const image = images[index] === undefined ? '' : `/Im0 ${images[index]} 0 R`
    const forms = (drawings[index] ?? []).map((id, place) => `/Fm${place} ${id} 0 R`).join('')
    const resources = `<</Font<</F1 ${font} 0 R/F2 ${bold} 0 R>>/XObject<<${image}${forms}>>>>`
    const annotations = links[index]?.length ? `/Annots[${links[index].map(id => `${id} 0 R`).join(' ')}]` : ''
    const marked = tags === undefined ? '' : `/StructParents ${index}/Tabs/S`
    pdf.set(
      page,
      `<</Type/Page/Parent ${tree.parentOf(index)} 0 R/Contents ${contents[index]} 0 R/Resources ` +
        `${resources}${annotations}${marked}>>`,
    )
  })
  const tagged = tags === undefined ? '' : `/StructTreeRoot ${tags} 0 R/MarkInfo<</Marked true>>/Lang(en)`
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${tree.root} 0 R/Outlines ${outline} 0 R/PageLabels<</Nums[0<</S/r>>4<</S/D>>]>>${tagged}>>`,
  )
  return shape.isCompressed ? pdf.writeCompressed(root) : pdf.writeTable(root)
}

/** A page tree of two levels with at most 50 pages per node. */
function addPageTree(pdf: RawPdf, pages: number[]): { root: number; parentOf(index: number): number } {
  const root = pdf.reserve()
  const nodes: number[] = []
  for (let from = 0; from < pages.length; from += PAGES_PER_NODE) {
    const kids = pages.slice(from, from + PAGES_PER_NODE)
    nodes.push(
      pdf.add(`<</Type/Pages/Parent ${root} 0 R/Count ${kids.length}/Kids[${kids.map(id => `${id} 0 R`).join(' ')}]>>`),
    )
  }
  pdf.set(
    root,
    `<</Type/Pages/Count ${pages.length}/Kids[${nodes.map(id => `${id} 0 R`).join(' ')}]/MediaBox[0 0 595 842]>>`,
  )
  return { root, parentOf: index => nodes[Math.floor(index / PAGES_PER_NODE)] ?? root }
}

/** A bookmark for every tenth page. */
function addOutline(pdf: RawPdf, pages: number[]): number {
  const root = pdf.reserve()
  const targets = pages.filter((_, index) => index % 10 === 0)
  const items = targets.map(() => pdf.reserve())
  items.forEach((item, index) => {
    const before = index > 0 ? `/Prev ${items[index - 1]} 0 R` : ''
    const after = index < items.length - 1 ? `/Next ${items[index + 1]} 0 R` : ''
    pdf.set(
      item,
      `<</Title(Chapter ${index + 1})/Parent ${root} 0 R/Dest[${targets[index]} 0 R/XYZ 0 842 0]${before}${after}>>`,
    )
  })
  return pdf.set(root, `<</Type/Outlines/Count ${items.length}/First ${items[0]} 0 R/Last ${items.at(-1)} 0 R>>`)
}

function addImage(pdf: RawPdf, random: () => number, pixels: number): number {
  const words = new Uint32Array(Math.ceil((pixels * pixels * 3) / 4)).map(random)
  const data = Buffer.from(words.buffer, 0, pixels * pixels * 3)
  return pdf.addStream(
    `/Type/XObject/Subtype/Image/Width ${pixels}/Height ${pixels}/ColorSpace/DeviceRGB/BitsPerComponent 8`,
    data,
    1,
  )
}

function addLinks(pdf: RawPdf, count: number, pages: number[], pageIndex: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const target = pages[(pageIndex * 7 + index * 13) % pages.length]
    const action = pdf.add(
      index % 3 === 0
        ? `<</S/GoTo/D[${target} 0 R/Fit]>>`
        : `<</S/URI/URI(https://example.com/${pageIndex}/${index})>>`,
    )
    const top = 780 - index * 40
    return pdf.add(
      `<</Type/Annot/Subtype/Link/Rect[60 ${top - 12} 200 ${top}]/Border[0 0 0]/A ${action} 0 R/P ` +
        `${pages[pageIndex]} 0 R>>`,
    )
  })
}

function addTags(pdf: RawPdf, root: number, pages: number[], paragraphs: number): void {
  const document = pdf.reserve()
  const rows = pages.map(page =>
    Array.from({ length: paragraphs }, (_, mark) =>
      pdf.add(`<</S/P/P ${document} 0 R/Pg ${page} 0 R/K ${mark}/ActualText(Line ${mark + 1})>>`),
    ),
  )
  const parents = rows.map((row, index) => `${index} ${pdf.add(`[${row.map(id => `${id} 0 R`).join(' ')}]`)} 0 R`)
  pdf.set(
    document,
    `<</S/Document/P ${root} 0 R/K[${rows
      .flat()
      .map(id => `${id} 0 R`)
      .join(' ')}]>>`,
  )
  const tree = pdf.add(`<</Nums[${parents.join(' ')}]>>`)
  pdf.set(root, `<</Type/StructTreeRoot/K ${document} 0 R/ParentTree ${tree} 0 R/ParentTreeNextKey ${pages.length}>>`)
}

/** Small drawings, distributed over the pages until the file has its number of objects. */
function addDrawings(pdf: RawPdf, { objectCount = 0 }: FileShape, pageCount: number): number[][] {
  const drawings: number[][] = Array.from({ length: pageCount }, () => [])
  for (let index = 0; pdf.objectCount < objectCount; index += 1) {
    const box = `${index % 500} ${(index * 7) % 700} 20 20`
    drawings[index % pageCount]?.push(
      pdf.addStream(
        '/Type/XObject/Subtype/Form/BBox[0 0 595 842]',
        Buffer.from(`q ${(index % 10) / 10} g ${box} re f Q\n`, 'latin1'),
      ),
    )
  }
  return drawings
}

function writeText(
  { lines, paragraphs, objectCount, imageEvery }: FileShape,
  random: () => number,
  pageIndex: number,
): string {
  const size = Math.min(10, Math.floor(720 / lines) - 2)
  const rows = Array.from({ length: lines }, (_, line) => {
    const text = Array.from({ length: 11 }, () => WORDS[random() % WORDS.length]).join(' ')
    const shown =
      `BT /F${line === 0 ? 2 : 1} ${size} Tf 60 ${Math.round(780 - line * (size + 2))} Td ` +
      `(${pageIndex + 1}.${line + 1} ${text}) Tj ET`
    return line < paragraphs ? `/P <</MCID ${line}>> BDC ${shown} EMC` : shown
  })
  const image = imageEvery > 0 && pageIndex % imageEvery === 0 ? ['q 200 0 0 200 350 60 cm /Im0 Do Q'] : []
  const forms = objectCount === undefined ? [] : ['/Fm0 Do /Fm1 Do']
  return [...rows, ...image, ...forms].join('\n')
}

/** Returns 32 random bits at a time, with the same sequence for the same seed (xorshift). */
export function startRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state
  }
}

const PAGES_PER_NODE = 50
const WORDS = (
  'amount apply balance before between carry change clause council deliver describe district during engine extent ' +
  'figure follow general however include invoice kindly ledger letter matter measure notice number object office ' +
  'paper period person question receive record region report section service settle several standard subject ' +
  'therefore township under various within writing yearly'
).split(' ')
