import { describe, expect, it, vi } from 'vitest'
import { PageOrder } from '../../../../engines/pdf/files/page-order'
import { Draft, numbered } from '../../../fixtures/draft'
import { replaceText } from '../../../fixtures/damaged'
import { FileBytes, type Layout, PdfWriter } from '../../../fixtures/pdf-writer'
import { countPages, readPdf } from '../../../support/reader'
import { readZip } from '../../../support/read-zip'
import { runOn } from '../../../support/run-on'
import { IS_COMPLETE } from '../../../support/scope'
import { StrictPdf } from '../../../support/strict-pdf'

const LAYOUTS = IS_COMPLETE ? (['table', 'streams', 'hybrid'] as const) : (['table', 'streams'] as const)

async function numbersOf(bytes: Buffer): Promise<number[]> {
  return (await readPdf(bytes)).pages.map(page => Number(/PAGE (\d+)/.exec(page.text)?.[1]))
}

/** Opens a damaged file, writes it again and returns the numbers of the remaining pages. */
async function reopened(file: Buffer): Promise<number[]> {
  const { bytes, warnings } = await runOn('rotate-pdf', file, { angle: 90 })
  expect(warnings).toEqual(['repaired'])
  const strict = new StrictPdf(bytes)
  expect(strict.problems.concat(strict.malformed)).toEqual([])
  return numbersOf(bytes)
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** The nodes of a tree by name. Lists contain names of nodes or numbers of pages. */
type Tree = Record<string, (string | number)[]>

interface Damage {
  /** Nodes whose objects are null. */
  lost?: string[]
  /** Nodes whose reference in the parent is damaged. */
  misled?: string[]
  /** Pages and nodes that somebody removed on purpose from their lists and from the counts. */
  removed?: (string | number)[]
}

/** The numbers of all pages, in order. */
function pagesOf(tree: Tree): number[] {
  return Object.values(tree)
    .flat()
    .filter(kid => typeof kid === 'number')
    .sort((a, b) => a - b)
}

/** A file with this tree, whose root is `root`. Pages are numbered in the order of `all`. */
function build(tree: Tree, { lost = [], misled = [], removed = [] }: Damage, layout: Layout = 'table'): Buffer {
  const all = pagesOf(tree)
  const draft = new Draft({ pages: all.length })
  const refs = new Map<string, number>()
  for (const name of Object.keys(tree)) refs.set(name, name === 'root' ? draft.tree : draft.pdf.reserve())
  draft.finish()
  const parentOf = (kid: string | number): string => Object.keys(tree).find(name => tree[name]?.includes(kid)) ?? ''
  const refOf = (kid: string | number): number => (typeof kid === 'number' ? draft.page(kid).ref : (refs.get(kid) ?? 0))
  const isThere = (kid: string | number): boolean => !removed.includes(kid)
  const count = (kid: string | number): number => {
    if (typeof kid === 'number') return isThere(kid) ? 1 : 0
    return isThere(kid) ? (tree[kid] ?? []).reduce<number>((sum, below) => sum + count(below), 0) : 0
  }
  for (const number of all) {
    const { ref } = draft.page(number)
    const body = draft.pdf.bodies[ref - 1]
    if (typeof body !== 'string') throw new TypeError('a page that is a stream')
    draft.pdf.set(ref, body.replace(/\/Parent \d+ 0 R/, `/Parent ${refOf(parentOf(number))} 0 R`))
  }
  for (const [name, kids] of Object.entries(tree)) {
    const listed = kids.filter(isThere).map(kid => `${misled.includes(String(kid)) ? 7777 : refOf(kid)} 0 R`)
    const parent = name === 'root' ? '' : `/Parent ${refOf(parentOf(name))} 0 R`
    const pageCount = removed.includes(name) ? (tree[name] ?? []).length : count(name)
    const body = `<</Type/Pages${parent}/Count ${pageCount}/Kids[${listed.join(' ')}]>>`
    draft.pdf.set(refOf(name), lost.includes(name) ? 'null' : body)
  }
  return draft.pdf.write({ root: draft.root, layout })
}

const FLAT: Tree = { root: ['a', 'b', 'c'], a: [1, 2, 3], b: [4, 5, 6], c: [7, 8, 9] }
const DEEP: Tree = { root: ['a', 10], a: ['b', 'c', 9], b: ['d', 3, 'e'], c: [6, 7, 8], d: [1, 2], e: [4, 5] }

describe.each(LAYOUTS)('findLostPages, in a file with %s', layout => {
  it.each<[string, Tree, Damage]>([
    ['a node', FLAT, { lost: ['b'] }],
    ['the first node', FLAT, { lost: ['a'] }],
    ['several nodes', FLAT, { lost: ['a', 'c'] }],
    ['all nodes', FLAT, { lost: ['a', 'b', 'c'] }],
    ['the root', FLAT, { lost: ['root'] }],
    ['the root and a node', FLAT, { lost: ['root', 'b'] }],
    ['everything', FLAT, { lost: ['root', 'a', 'b', 'c'] }],
    ['a node with kid nodes', DEEP, { lost: ['a'] }],
    ['nodes with another node between them', DEEP, { lost: ['a', 'd'] }],
    ['nested nodes', DEEP, { lost: ['a', 'b'] }],
    ['a chain of nodes', { root: ['a', 4], a: ['b'], b: ['c'], c: [1, 2, 3] }, { lost: ['a', 'b', 'c'] }],
    ['a chain of nodes between others', { root: [1, 'a', 5], a: ['b'], b: [2, 3, 4] }, { lost: ['a', 'b'] }],
    ['a reference to a node', DEEP, { misled: ['a'] }],
    ['references to nodes', FLAT, { misled: ['a', 'c'] }],
    ['a node, and the reference to another', FLAT, { lost: ['a'], misled: ['c'] }],
  ])('finds the pages of a tree that lost %s', async (_, tree, damage) => {
    const all = pagesOf(tree)
    const file = build(tree, damage, layout)
    expect(await numbersOf(build(tree, {}, layout))).toEqual(all)
    expect(await reopened(file)).toEqual(all)
    const { bytes } = await runOn('merge-pdf', [numbered({ pages: 1 }), file])
    expect(await numbersOf(bytes)).toEqual([1, ...all])
    const parts = readZip((await runOn('split-pdf', file, { mode: 'pages' })).bytes)
    expect((await Promise.all(parts.map(part => numbersOf(part.bytes)))).flat()).toEqual(all)
  })

  it.each<[string, Tree, Damage, number[]]>([
    ['no page is missing', FLAT, { removed: ['b'] }, [1, 2, 3, 7, 8, 9]],
    ['a page was removed from the lost node', FLAT, { lost: ['b'], removed: [5] }, [1, 2, 3, 7, 8, 9]],
    ['a node was removed from the node with a gap', FLAT, { lost: ['c'], removed: ['b'] }, [1, 2, 3, 7, 8, 9]],
    ['their node was removed and is lost', FLAT, { lost: ['b', 'c'], removed: ['b'] }, [1, 2, 3, 7, 8, 9]],
  ])('does not restore removed pages: %s', async (_, tree, damage, left) => {
    const { bytes } = await runOn('rotate-pdf', build(tree, damage, layout), { angle: 90 })
    expect(await numbersOf(bytes)).toEqual(left)
  })
})

describe('findLostPages', () => {
  it('gives recovered pages the attributes that nodes above the lost node pass down', async () => {
    const draft = new Draft({ pages: 6, fanOut: 2, inherits: true, size: [300, 500], crop: [0, 0, 200, 400] })
    draft.finish()
    const kids = `/Kids[${draft.page(3).ref} 0 R`
    const node = draft.pdf.bodies.findIndex(body => typeof body === 'string' && body.includes(kids))
    draft.pdf.set(node + 1, 'null')
    const { bytes } = await runOn('remove-metadata', draft.pdf.write({ root: draft.root }))
    const seen = await readPdf(bytes)
    expect(seen.pages.map(page => [page.width, page.height])).toEqual(upTo(6).map(() => [200, 400]))
    expect(await numbersOf(bytes)).toEqual(upTo(6))
  })

  it('orders pages as the file does, by offsets or by numbers', async () => {
    const make = (numbers: number[], places: number[]): Buffer => {
      const pdf = new PdfWriter()
      const [root, tree, lost, font] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()]
      pdf.bodies.push(...numbers.map(() => 'null'))
      const refOf = (page: number): number => font + (numbers[page - 1] ?? 0)
      const bodies = new Map<number, string>()
      for (const page of upTo(numbers.length)) {
        const content = pdf.addStream('', `BT /F1 9 Tf 9 9 Td (PAGE ${page}) Tj ET`)
        const pageEntries = `/MediaBox[0 0 99 99]/Resources<</Font<</F1 ${font} 0 R>>>>/Contents ${content} 0 R`
        bodies.set(page, `<</Type/Page/Parent ${page > 3 ? lost : tree} 0 R${pageEntries}>>`)
        pdf.set(refOf(page), bodies.get(page) ?? '')
      }
      pdf.set(font, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')
      pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
      const kids = [refOf(1), refOf(2), refOf(3), lost].map(ref => `${ref} 0 R`)
      pdf.set(tree, `<</Type/Pages/Count ${numbers.length}/Kids[${kids.join(' ')}]>>`)
      return inPlaces(pdf, root, places.map(refOf))
    }
    const pages = [1, 2, 3, 4, 5, 6]
    expect(await reopened(make([6, 5, 4, 3, 2, 1], pages))).toEqual(pages)
    expect(await reopened(make(pages, [6, 4, 2, 1, 3, 5]))).toEqual(pages)
    expect(await reopened(make(pages, pages))).toEqual(pages)
  })

  it('searches the file again for objects that its table does not list', async () => {
    const file = numbered({ pages: 6, fanOut: 2 }).toString('latin1')
    const node = /(\d+) 0 obj\s<<\/Type\/Pages\/Parent/.exec(file)
    const size = Number(/\/Size (\d+)/.exec(file)?.[1])
    // The table ends before the nodes. They are the last objects of the file.
    const count = Number(node?.[1])
    const table = /xref\n0 \d+\n((?:\d{10} \d{5} [nf] \n)+)/
    const short = file.replace(table, (_, rows: string) => `xref\n0 ${count}\n${rows.slice(0, count * 20)}`)
    expect(count).toBeLessThan(size)
    expect(await reopened(Buffer.from(short, 'latin1'))).toEqual(upTo(6))
  })

  it('searches again if the table turns out to be wrong during the search', async () => {
    // The node is free. The table is wrong about one of its pages, and only a search of all objects finds that.
    const file = numbered({ pages: 6, fanOut: 2 }).toString('latin1')
    const offsetOf = (pattern: RegExp): string => String(file.search(pattern)).padStart(10, '0')
    const page = offsetOf(/\d+ 0 obj\s<<\/Type\/Page\/Parent/)
    const node = offsetOf(/\d+ 0 obj\s<<\/Type\/Pages\/Parent/)
    const freed = file.replace(`${node} 00000 n`, '0000000000 00001 f')
    const damaged = freed.replace(`${page} 00000 n`, `${page.slice(0, 9)}0 00000 n`)
    expect(await reopened(Buffer.from(damaged, 'latin1'))).toEqual(upTo(6))
  })

  it('ends on nodes that reference each other, and on thousands of gaps', async () => {
    const pdf = new PdfWriter()
    const root = pdf.add('<</Type/Catalog/Pages 2 0 R>>')
    const gaps = upTo(2000).map(number => `${number + 900_000} 0 R`)
    pdf.add(`<</Type/Pages/Count 9999/Kids[4 0 R 1009 0 R ${gaps.join(' ')} 3 0 R]>>`)
    pdf.add('null')
    pdf.add('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>')
    pdf.add('<</Type/Pages/Parent 6 0 R/Kids[6 0 R]/Count 1>>')
    pdf.add('<</Type/Pages/Parent 5 0 R/Kids[5 0 R]/Count 1>>')
    pdf.add('<</Type/Pages/Parent 3 0 R/Kids[7 0 R 3 0 R 2 0 R]/Count 1>>')
    pdf.add('<</Type/Page/Parent 8 0 R/MediaBox[0 0 9 9]>>')
    for (let index = 0; index < 1000; index++) pdf.add(`<</Type/Page/Parent ${800_000 + index} 0 R/MediaBox[0 0 9 9]>>`)
    pdf.add('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>') // After all lost pages, so that no gap suits them.
    const compare = vi.spyOn(PageOrder.prototype, 'compare')
    const { bytes } = await runOn('rotate-pdf', pdf.write({ root }), { angle: 90 })
    expect(compare.mock.calls.length).toBeLessThan(100_000) // All gaps with all pages would be 2 million.
    compare.mockRestore()
    expect(await countPages(bytes)).toBeGreaterThan(0)
  })

  it('recognizes nodes without /Type', async () => {
    const file = replaceText(numbered({ pages: 3 }), '/Type/Pages', '/Type/Paces')
    expect(await reopened(file)).toEqual([1, 2, 3])
  })
})

/** A file whose objects are in order, except for these objects, which swap places. */
function inPlaces(pdf: PdfWriter, root: number, order: number[]): Buffer {
  const places = [...order].sort((a, b) => a - b)
  const file = new FileBytes('1.4')
  for (const index of pdf.bodies.keys()) {
    const at = places.indexOf(index + 1)
    const number = at < 0 ? index + 1 : (order[at] ?? 0)
    file.object(number, pdf.bodies[number - 1] ?? 'null')
  }
  return file.closeWithTable(pdf.bodies.length + 1, `/Root ${root} 0 R`)
}
