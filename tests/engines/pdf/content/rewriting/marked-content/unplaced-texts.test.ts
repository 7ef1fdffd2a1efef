import { describe, expect, it } from 'vitest'
import { Draft } from '../../../../../fixtures/draft'
import { runOn } from '../../../../../support/run-on'
import { findTraces } from '../../../../../support/traces'

/** Covers the text of page 1. */
const AREA = { page: 1, x: 50, y: 590, width: 500, height: 30 }

/** A file with two pages, of which page 1 has marked content with MCID 0, and a structure tree. */
class Tagged {
  readonly draft = new Draft({ pages: 2 })
  readonly root = this.draft.pdf.reserve()
  readonly kids: string[] = []
  /** Lists of the parent tree. */
  readonly lists: string[] = []

  constructor() {
    this.mark(1)
  }

  mark(page: number): void {
    const { content } = this.draft.page(page)
    content[0] = `/P <</MCID 0>> BDC\n${content[0]}\nEMC`
  }

  setKey(page: number, key: number): void {
    this.draft.page(page).entries.push(`/StructParents ${key}`)
  }

  /** Adds an element whose text is about a page. */
  add(page: number, entries: string, { isListed = true, text = '/ActualText(#)' } = {}): number {
    const { draft, root, kids } = this
    const element = draft.pdf.add(
      `<</Type/StructElem/S/P/P ${root} 0 R/Pg ${draft.page(page).ref} 0 R` +
        `${text.replace('#', draft.plant(page, `element ${kids.length}`))}${entries}>>`,
    )
    if (isListed) kids.push(`${element} 0 R`)
    return element
  }

  write(): Buffer {
    const { draft, root } = this
    draft.pdf.set(
      root,
      `<</Type/StructTreeRoot/K[${this.kids.join(' ')}]/ParentTree<</Nums[${this.lists.join('')}]>>>>`,
    )
    draft.catalog.push(`/StructTreeRoot ${root} 0 R/MarkInfo<</Marked true>>`)
    return draft.write()
  }
}

describe('redaction of an area removes the text of an element', () => {
  it.each<[string, (file: Tagged) => void]>([
    [
      'with marked content',
      file => {
        file.setKey(1, 0)
        file.lists.push(`0[${file.add(1, '/K 0')} 0 R]`)
      },
    ],
    ['on a page without /StructParents', file => file.add(1, '/K 0')],
    ['that the parent tree lacks', file => (file.setKey(1, 0), file.add(1, '/K 0'))],
    [
      'on a page whose key another page has too',
      file => {
        file.mark(2)
        file.setKey(1, 0)
        file.setKey(2, 0)
        file.lists.push(`0[${file.add(2, '/K 0')} 0 R]`)
        file.add(1, '/K 0')
      },
    ],
    ['without content', file => file.add(1, '')],
    ['whose content the page lacks', file => file.add(1, '/K 7')],
    ['around an element whose content the page lacks', file => addParent(file, '/K 7')],
    [
      'that only an action refers to',
      file => {
        const element = file.add(1, '/K 0', { isListed: false })
        file.draft
          .page(2)
          .annotations.push(
            `<</Type/Annot/Subtype/Link/Rect[9 9 90 30]/A<</S/GoTo/D[${file.draft.page(1).ref} 0 R/Fit]` +
              `/SD[${element} 0 R/Fit]>>>>`,
          )
      },
    ],
    ['with a summary', file => file.add(1, '/K 0', { text: '/A<</O/Table/Summary(#)>>' })],
    ['with user properties', file => file.add(1, '/K 0', { text: '/A[<</O/UserProperties/P[<</N(a)/V(#)>>]>> 0]' })],
    [
      'with an associated file',
      file => {
        const data = file.draft.pdf.addStream('/Type/EmbeddedFile', file.draft.plant(1, 'file'))
        file.add(1, '/K 0', { text: `/T(#)/AF[<</Type/Filespec/F(formula.xml)/EF<</F ${data} 0 R>>>>]` })
      },
    ],
    ['with a pronunciation', file => file.add(1, '/K 0', { text: '/Phoneme(#)' })],
  ])('%s', async (_, build) => {
    const file = new Tagged()
    build(file)
    file.add(2, '')
    const { draft } = file
    const input = file.write()
    const [text, ...others] = draft.words(2)
    expect(findTraces(input, draft.words(1))).toEqual(draft.words(1))
    const { bytes, headers } = await runOn('pdf-redaction', input, { areas: [AREA] })
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect(findTraces(bytes, draft.words(1))).toEqual([])
    expect(findTraces(bytes, [text ?? '', others.at(-1) ?? ''])).toHaveLength(2)
  })
})

/** Adds an element with a text to the tree, and an element in it. */
function addParent(file: Tagged, entries: string): void {
  const { draft, root, kids } = file
  const [parent, child] = [draft.pdf.reserve(), draft.pdf.reserve()]
  draft.pdf.set(parent, `<</S/Sect/P ${root} 0 R/T(${draft.plant(1, 'parent')})/K[${child} 0 R]>>`)
  draft.pdf.set(child, `<</S/P/P ${parent} 0 R/Pg ${draft.page(1).ref} 0 R${entries}>>`)
  kids.push(`${parent} 0 R`)
}
