import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { askProgram, hasProgram, qpdfComplaints } from '../../../support/other-programs'
import type { PdfDict, PdfValue } from '../../../support/pdf-syntax'
import { withPdfjs } from '../../../support/pdfjs-document'
import { readPdf } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'

/** The merged files of all tests, for qpdf. */
const results: Buffer[] = []

interface Tagged {
  /** Entries of the catalog. */
  catalog?: string
  /** Entries of the structure tree root. */
  root?: string
  /** Entries of the top structure element. */
  top?: string
  /** Entries of the structure elements below the top one. Each marks a line of the page. */
  elements?: string[]
}

const MARKED = '/MarkInfo<</Marked true>>'

/** A page whose lines are tagged. Returns the file, and the object numbers of its structure elements as `refs`. */
function makeTagged(make: (draft: Draft, refs: number[]) => Tagged): Buffer {
  const draft = new Draft({ pages: 1, salt: 'tagged' })
  const { pdf } = draft
  const [root, top] = [pdf.reserve(), pdf.reserve()]
  const refs = [pdf.reserve(), pdf.reserve()]
  const given = make(draft, refs)
  const { catalog = MARKED, elements = ['/S/P'] } = given
  const page = draft.page(1)
  elements.forEach((entries, index) => {
    pdf.set(refs[index] ?? 0, `<</Type/StructElem/P ${top} 0 R/Pg ${page.ref} 0 R/K ${index}${entries}>>`)
    page.content.push(`/Tag <</MCID ${index}>> BDC BT /F1 12 Tf 60 ${500 - 20 * index} Td (Line ${index}) Tj ET EMC`)
  })
  page.entries.push('/StructParents 0')
  const kids = elements.map((_, index) => `${refs[index]} 0 R`).join(' ')
  pdf.set(top, `<</Type/StructElem/S/Document/P ${root} 0 R/K[${kids}]${given.top ?? ''}>>`)
  const index = `/ParentTree<</Nums[0[${kids}]]>>/ParentTreeNextKey 1`
  pdf.set(root, `<</Type/StructTreeRoot/K ${top} 0 R${index}${given.root ?? ''}>>`)
  draft.catalog.push(`/StructTreeRoot ${root} 0 R${catalog}`)
  return draft.write()
}

const withLanguage = (language?: string, own?: string): Buffer =>
  makeTagged(() => ({
    catalog: `${MARKED}${language === undefined ? '' : `/Lang(${language})`}`,
    top: own === undefined ? '' : `/Lang(${own})`,
  }))

interface Merged {
  bytes: Buffer
  strict: StrictPdf
  root: PdfDict
  /** The structure elements of each file, top element first. */
  elements: PdfDict[][]
}

async function merge(files: Buffer[], options: object = {}): Promise<Merged> {
  const { bytes } = await runOn('merge-pdf', files, options)
  const strict = readSound(bytes)
  results.push(bytes)
  const root = strict.dict(strict.catalog.get('StructTreeRoot'))
  const elements = strict.array(root.get('K')).map(kid => {
    const top = strict.dict(kid)
    return [top, ...strict.array(top.get('K')).map(below => strict.dict(below))]
  })
  return { bytes, strict, root, elements }
}

interface SeenNode {
  role?: string
  lang?: string
  children?: SeenNode[]
}

/** Role and language of the structure elements of every page in tree order, as PDF.js reads them. */
function readTrees(bytes: Buffer): Promise<string[][]> {
  return withPdfjs(bytes, async document => {
    const trees: string[][] = []
    for (let number = 1; number <= document.numPages; number++) {
      const tree = (await (await document.getPage(number)).getStructTree()) as SeenNode | null
      const seen: string[] = []
      const stack = tree ? [tree] : []
      for (let node = stack.pop(); node; node = stack.pop()) {
        if (node.role) seen.push(node.lang === undefined ? node.role : `${node.role} ${node.lang}`)
        stack.push(...(node.children ?? []).toReversed())
      }
      trees.push(seen)
    }
    return trees
  })
}

/** The structure tree as poppler prints it, without the text. */
function printTree(bytes: Buffer): string[] {
  const printed = askProgram('pdfinfo', bytes, path => ['-struct', path])
  return printed.split('\n').map(line => line.trim())
}

const markOf = ({ strict }: Merged): PdfValue | undefined => {
  return strict.catalog.has('MarkInfo') ? strict.dict(strict.catalog.get('MarkInfo')).get('Marked') : undefined
}

describe('tags of merged files', () => {
  it('keep the language of their file', async () => {
    const files = [withLanguage('en'), withLanguage('de'), withLanguage(), withLanguage('fr', 'pl')]
    const { bytes } = await merge(files)
    expect(await readTrees(bytes)).toEqual([
      ['Root', 'Document en', 'P'],
      ['Root', 'Document de', 'P'],
      ['Root', 'Document ', 'P'],
      ['Root', 'Document pl', 'P'],
    ])
    const late = await merge([new Draft({ pages: 1 }).write(), withLanguage('de')])
    expect(await readTrees(late.bytes)).toEqual([['Root'], ['Root', 'Document de', 'P']])
    expect(late.strict.catalog.has('Lang')).toBe(false)
  })

  it('are marked as complete only if all files are tagged', async () => {
    const tagged = withLanguage('en')
    const plain = new Draft({ pages: 1 }).write()
    const untrue = new Draft({ pages: 1 })
    untrue.catalog.push(MARKED)
    expect(markOf(await merge([tagged, tagged]))).toBe(true)
    for (const files of [
      [tagged, plain],
      [plain, tagged],
      [tagged, untrue.write()],
      [tagged, plain, tagged],
    ]) {
      const merged = await merge(files)
      expect(markOf(merged)).toBe(false)
      expect((await readPdf(merged.bytes)).isTagged).toBe(false)
      expect(await withPdfjs(merged.bytes, document => document.getMarkInfo())).toMatchObject({ Marked: false })
    }
    const suspect = makeTagged(() => ({ catalog: '/MarkInfo<</Marked true/Suspects true>>' }))
    const seen = await withPdfjs((await merge([tagged, suspect])).bytes, document => document.getMarkInfo())
    expect(seen).toMatchObject({ Marked: true, Suspects: true })
  })

  it('keep the meaning of their structure types', async () => {
    const first = makeTagged(() => ({
      root: '/RoleMap<</Chapter/Sect/Same/Inner/Inner/H1>>',
      elements: ['/S/Chapter', '/S/Same'],
    }))
    const second = makeTagged(() => ({
      root: '/RoleMap<</Chapter/H2/Same/H1/Loop/Loop/Part#20A/Chapter>>',
      elements: ['/S/Chapter', '/S/Same'],
    }))
    const third = makeTagged(() => ({ root: '/RoleMap<</Chapter/H2/P/Span>>', elements: ['/S/Chapter', '/S/P'] }))
    const { bytes, elements, root, strict } = await merge([first, second, third])
    const types = elements.map(list => list.map(element => strict.text(element.get('S'))))
    expect(types).toEqual([
      ['Document', 'Chapter', 'Same'],
      ['Document', 'Chapter_2', 'Same'],
      ['Document', 'Chapter_2', 'P_2'],
    ])
    const roles = [...strict.dict(root.get('RoleMap'))].map(([type, role]) => [type, strict.text(role)])
    expect(Object.fromEntries(roles)).toEqual({
      Chapter: 'Sect',
      Same: 'Inner',
      Inner: 'H1',
      Chapter_2: 'H2',
      'Part A': 'Chapter_2',
      Loop: 'Loop',
      P_2: 'Span',
    })
    const trees = await readTrees(bytes)
    expect(trees.map(([, , role]) => role)).toEqual(['Sect', 'H2', 'H2'])
    expect(trees[2]?.at(-1)).toBe('Span')
  })

  let remapped: Buffer = Buffer.alloc(0)
  it('keep the meaning of standard structure types that only the first file remaps', async () => {
    const first = makeTagged(() => ({ root: '/RoleMap<</P/Span/Text/P>>', elements: ['/S/P', '/S/Text'] }))
    const second = makeTagged(() => ({ elements: ['/S/P', '/S/H1'] }))
    const { bytes, elements, strict } = await merge([first, second, second])
    const types = elements.map(list => list.map(element => strict.text(element.get('S'))))
    expect(types).toEqual([
      ['Document', 'P_2', 'Text'],
      ['Document', 'P', 'H1'],
      ['Document', 'P', 'H1'],
    ])
    expect((await readTrees(bytes)).map(tree => tree.slice(2))).toEqual([
      ['Span', 'P_2'],
      ['P', 'H1'],
      ['P', 'H1'],
    ])
    remapped = bytes
  })

  it.skipIf(!hasProgram('pdfinfo'))('have the remapped meaning for poppler (pdfinfo) too', () => {
    expect(printTree(remapped).some(line => line.includes('Span'))).toBe(true)
  })

  it('keep their attribute classes', async () => {
    const make = (color: string, classes: string): Buffer =>
      makeTagged(draft => {
        const shared = draft.pdf.add('<</O/Layout/TextAlign/Center>>')
        const map = `/ClassMap<</Warn<</O/Layout/Color[${color}]>>/Center ${shared} 0 R>>`
        return { root: map, elements: [`/S/P/C ${classes}`, '/S/P/C/Center'] }
      })
    const files = [make('1 0 0', '/Warn'), make('0 0 1', '[/Warn 0 /Center 1]'), make('0 0 1', '/Warn')]
    const { elements, root, strict } = await merge(files)
    expect([...strict.dict(root.get('ClassMap')).keys()]).toEqual(['Warn', 'Center', 'Warn_2'])
    const classes = elements.map(([, first]) => [first?.get('C')].flat().map(item => strict.text(item) ?? item))
    expect(classes).toEqual([['Warn'], ['Warn_2', 0, 'Center', 1], ['Warn_2']])
    expect(elements.map(([, , second]) => strict.text(second?.get('C')))).toEqual(['Center', 'Center', 'Center'])
  })

  it('keep their IDs and the references to them', async () => {
    const wide = Buffer.from('\u017c', 'utf16le').swap16().toString('hex')
    const make = (first: string, target = first): Buffer =>
      makeTagged((draft, [header, cell]) => {
        const action = `/S/GoTo/D[${draft.page(1).ref} 0 R/Fit]/SD[(${target})/Fit]`
        draft.page(1).annotations.push(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<<${action}>>>>`)
        const attributes = draft.pdf.add(`<</O/Table/Headers[(${target})(other)]>>`)
        return {
          root: `/IDTree<</Names[(${first})${header} 0 R<FEFF${wide}>${cell} 0 R]>>`,
          elements: [`/S/TH/ID(${first})`, `/S/TD/ID<FEFF${wide}>/A[${attributes} 0 R 0<</O/Layout>>]`],
        }
      })
    const { elements, root, strict } = await merge([make('a'), make('a'), make('b')])
    const index = strict.tree(root.get('IDTree'), 'Names').map(([id, element]) => [id, strict.dict(element)] as const)
    expect(index).toHaveLength(6)
    for (const [id, element] of index) expect(strict.text(element.get('ID'))).toBe(id)
    expect(new Set(index.map(([id]) => id)).size).toBe(6)
    expect(elements.map(([, header]) => strict.text(header?.get('ID')))).toEqual(['a', 'a_2', 'b'])
    const headers = elements.map(([, , cell]) => {
      const [attributes] = strict.array(cell?.get('A'))
      return strict.array(strict.dict(attributes).get('Headers')).map(header => strict.text(header))
    })
    expect(headers).toEqual([
      ['a', 'other'],
      ['a_2', 'other'],
      ['b', 'other'],
    ])
    const targets = strict.pages.map(({ dict }) => {
      const [link] = strict.array(dict.get('Annots')).map(value => strict.dict(value))
      return strict.text(strict.array(strict.dict(link?.get('A')).get('SD'))[0])
    })
    expect(targets).toEqual(['a', 'a_2', 'b'])
  })

  it('share the namespaces with the same name', async () => {
    const make = (role: string, other: string): Buffer =>
      makeTagged(({ pdf }) => {
        const standard = pdf.add('<</Type/Namespace/NS(http://iso.org/pdf2/ssn)>>')
        const roles = `/RoleMapNS<</Part${role}/Sub[/Em ${standard} 0 R]>>`
        const own = pdf.add(`<</Type/Namespace/NS(http://example.com/own)${roles}>>`)
        const further = pdf.add(`<</Type/Namespace/NS(${other})/RoleMapNS<</X[/Title ${standard} 0 R]>>>>`)
        return {
          root: `/Namespaces[${standard} 0 R ${own} 0 R ${further} 0 R]`,
          elements: [`/S/Part/NS ${own} 0 R`, `/S/Sub/NS ${own} 0 R/A<</O/NSO/NS ${own} 0 R/Kind 1>>`],
        }
      })
    const { elements, root, strict } = await merge([make('/Sect', 'one'), make('/H1', 'two'), make('/Sect', 'one')])
    const spaces = strict.array(root.get('Namespaces'))
    const names = spaces.map(space => strict.text(strict.dict(space).get('NS')))
    expect(names).toEqual(['http://iso.org/pdf2/ssn', 'http://example.com/own', 'one', 'two'])
    const [standard, own, , two] = spaces
    expect(elements.map(([, part]) => [strict.text(part?.get('S')), part?.get('NS')])).toEqual([
      ['Part', own],
      ['Part_2', own],
      ['Part', own],
    ])
    const roles = strict.dict(strict.dict(own).get('RoleMapNS'))
    expect(['Part', 'Part_2'].map(type => strict.text(roles.get(type)))).toEqual(['Sect', 'H1'])
    expect(strict.array(strict.dict(strict.dict(two).get('RoleMapNS')).get('X'))[1]).toEqual(standard)
    expect(elements.map(([, , sub]) => strict.dict(sub?.get('A')).get('NS'))).toEqual([own, own, own])
  })
})

it.skipIf(!hasProgram('qpdf'))('qpdf finds no problem in the merged files', () => {
  expect(results.flatMap(qpdfComplaints)).toEqual([])
})
