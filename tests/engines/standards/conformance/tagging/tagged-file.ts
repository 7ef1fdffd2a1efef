import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { listBrokenRules } from '../../../../support/conformance'

/** A structure element. `kids` are elements, or kids as PDF text. */
export interface Element {
  type?: string
  /** Further entries. */
  entries?: string
  kids?: (Element | string)[]
  /** Entries without /P and /Type. */
  isBare?: boolean
}

interface FileParts {
  /** Elements below the Document element. The first gets the page's content. */
  elements?: Element[]
  content?: string
  /** Values of the parent tree by key. `E1` is the first element, and so on. Default: key 0 has the first element. */
  parents?: Record<number, string>
  root?: string
  /** Replaces catalog entries by key. An empty text removes an entry. */
  catalog?: Record<string, string>
  page?: string
  annotations?: string[]
  resources?: string
  /** Objects after the file's own. `X1` refers to the first. */
  objects?: (string | { dictionary: string; data: string })[]
  pages?: number
}

const CATALOG = {
  Lang: '(en)',
  MarkInfo: '<</Marked true>>',
  ViewerPreferences: '<</DisplayDocTitle true>>',
}

/** A tagged file with one page. `E1`, `X1` and `PAGE` in its texts become references. */
function taggedFile(parts: FileParts = {}): Uint8Array {
  const pdf = new PdfWriter()
  const [catalog, tree, page, root, top, font] = Array.from({ length: 6 }, () => pdf.reserve())
  const objects = (parts.objects ?? []).map(() => pdf.reserve())
  const elements: number[] = []
  const resolve = (text: string): string =>
    text
      .replace(/\bE(\d+)\b/g, (_match, index: string) => `${elements[Number(index) - 1]} 0 R`)
      .replace(/\bX(\d+)\b/g, (_match, index: string) => `${objects[Number(index) - 1]} 0 R`)
      .replace(/\bPAGE\b/g, `${page} 0 R`)
  const bodies: (() => void)[] = []
  const add = (element: Element, parent: number): string => {
    const number = pdf.reserve()
    elements.push(number)
    const kids = (element.kids ?? []).map(kid => (typeof kid === 'string' ? kid : add(kid, number)))
    const { type = 'P', entries = '', isBare } = element
    const own = isBare ? '' : `/Type/StructElem/P ${parent} 0 R`
    bodies.push(() => pdf.set(number, resolve(`<<${own}/S/${type}${entries}/K[${kids.join(' ')}]>>`)))
    return `${number} 0 R`
  }
  const kids = (parts.elements ?? [{ kids: ['0'] }]).map(element => add(element, top ?? 0))
  for (const write of bodies) write()
  const parents = Object.entries(parts.parents ?? { 0: '[E1]' })
  const nums = parents.map(([key, value]) => `${key} ${value}`).join(' ')
  pdf.set(top ?? 0, `<</Type/StructElem/S/Document/P ${root} 0 R/K[${kids.join(' ')}]>>`)
  pdf.set(root ?? 0, resolve(`<</Type/StructTreeRoot/K ${top} 0 R/ParentTree<</Nums[${nums}]>>${parts.root ?? ''}>>`))
  pdf.set(font ?? 0, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')
  const content = pdf.addPlainStream('', parts.content ?? '/P <</MCID 0>> BDC BT /F1 9 Tf (A) Tj ET EMC')
  const annotations = parts.annotations ? `/Tabs/S/Annots[${parts.annotations.join(' ')}]` : ''
  pdf.set(
    page ?? 0,
    resolve(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 500 500]/CropBox[0 0 400 400]/StructParents 0/Contents ` +
        `${content} 0 R/Resources<</Font<</F1 ${font} 0 R>>${parts.resources ?? ''}>>${parts.page ?? annotations}>>`,
    ),
  )
  pdf.set(tree ?? 0, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`)
  for (const [index, object] of (parts.objects ?? []).entries())
    pdf.set(
      objects[index] ?? 0,
      typeof object === 'string'
        ? resolve(object)
        : { dictionary: resolve(object.dictionary), data: Buffer.from(object.data, 'latin1') },
    )
  const entries = Object.entries({ ...CATALOG, StructTreeRoot: `${root} 0 R`, ...parts.catalog })
  const shown = entries.filter(([, value]) => value !== '').map(([key, value]) => `/${key} ${value}`)
  pdf.set(catalog ?? 0, resolve(`<</Type/Catalog/Pages ${tree} 0 R${shown.join('')}>>`))
  return pdf.write({ root: catalog ?? 0 })
}

/** Rules of this area. Other areas check fonts, metadata and the file. */
const OTHER_AREAS = /^(?:5-|6\.1-|7\.1-[89]$|7\.2-(?:29|33)$|7\.11-|7\.16-|7\.20-1$|7\.21)/

/** The rules on tags that a file breaks. */
export function brokenRules(parts: FileParts): string[] {
  return listBrokenRules(taggedFile(parts), 'pdfua-1').filter(id => !OTHER_AREAS.test(id))
}
