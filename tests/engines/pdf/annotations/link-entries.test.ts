import { PDFName, PDFRef } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readLinkEntries } from '../../../../engines/pdf/annotations/link-entries'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { Draft } from '../../../fixtures/draft'
import { LIMITS } from '../../../support/run-on'

const LAYOUTS = ['table', 'streams'] as const

interface Setting {
  /** Another object of the file. */
  other?: string
  layout?: (typeof LAYOUTS)[number]
}

/** Reads one annotation. In the text, `PAGE` stands for a reference to the third page, and `OBJ` for `other`. */
function read(annotation: string, { other = 'null', layout = 'table' }: Setting = {}) {
  const draft = new Draft()
  const page = draft.page(3).ref
  const fill = (text: string) => text.replaceAll('PAGE', `${page} 0 R`)
  const object = draft.pdf.add(fill(other))
  const ref = draft.pdf.add(fill(annotation).replaceAll('OBJ', `${object} 0 R`))
  draft.page(1).annotations.push(`${ref} 0 R`)
  const document = openDocument(draft.write(layout), LIMITS)
  const entries = readLinkEntries(document, PDFRef.of(ref))
  return entries && { ...entries, target: entries.target === page ? 'page' : entries.target }
}

describe('reading where an annotation leads', () => {
  it.each(LAYOUTS)('finds the page of a link: %s', layout => {
    const direct = '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D[PAGE/Fit]>>/Contents(/A PAGE)>>'
    const indirect = '<</Subtype /Link /A OBJ /Border [0 0 0]>>'
    expect(read(direct, { layout })).toEqual({ isLink: true, target: 'page' })
    expect(read(indirect, { layout, other: '<< /S /GoTo /D [ PAGE /XYZ 0 9 0 ] >>' })).toEqual({
      isLink: true,
      target: 'page',
    })
  })

  it('finds that an annotation leads nowhere in the document', () => {
    expect(read('<</Subtype/Link/A<</S/URI/URI(https://example.com/)>>>>')).toEqual({ isLink: true, target: 0 })
    expect(read('<</Subtype/Highlight/Contents(text)>>')).toEqual({ isLink: false, target: 0 })
  })

  it.each([
    '<</Subtype/Link/Dest[PAGE/Fit]>>',
    '<</Subtype/Link/A<</S/GoTo/D[2/Fit]>>>>',
    '<</Subtype/Link/A<</S/GoTo/D(name)>>>>',
    '<</Subtype/Link/A<</S/GoTo/D OBJ>>>>',
    '<</Subtype/Link/A<</S/GoTo/D[PAGE/Fit]/SD[PAGE/Fit]>>>>',
    '<</Subtype/Link/A<</S/URI/URI(u)/Next<</S/GoTo/D[1/Fit]>>>>>>',
    '<</Subtype/Link/A<</S/GoToR/F(f)/D[1/Fit]>>>>',
    '<</Subtype/Link/A OBJ>>',
    '<</Subtype/Link/A<</S/GoTo/D[PAGE/Fit]>>/PA<</S/URI>>>>',
    '<</Subtype/Widget/AA<</E<</S/GoTo/D[1/Fit]>>>>>>',
    '<</Subtype/Link/#41<</S/GoTo/D[2/Fit]>>>>',
    '[PAGE/Fit]',
  ])('leaves %s to the parser', annotation => {
    expect(read(annotation)).toBeUndefined()
  })

  it('reads a link again if its action was loaded', () => {
    const draft = new Draft()
    const action = draft.pdf.add('<</S/URI/URI(https://example.com/)>>')
    const ref = draft.pdf.add(`<</Subtype/Link/A ${action} 0 R>>`)
    draft.page(1).annotations.push(`${ref} 0 R`)
    const document = openDocument(draft.write(), LIMITS)
    expect(readLinkEntries(document, PDFRef.of(ref))).toEqual({ isLink: true, target: 0 })
    document.edit(PDFRef.of(action)).set(PDFName.of('S'), PDFName.of('GoTo'))
    expect(readLinkEntries(document, PDFRef.of(ref))).toBeUndefined()
  })

  it('leaves loaded and removed annotations to the document', () => {
    const draft = new Draft()
    const ref = draft.pdf.add('<</Subtype/Highlight>>')
    draft.page(1).annotations.push(`${ref} 0 R`)
    const document = openDocument(draft.write(), LIMITS)
    expect(readLinkEntries(document, PDFRef.of(ref))).toBeDefined()
    document.peek(PDFRef.of(ref))
    expect(readLinkEntries(document, PDFRef.of(ref))).toBeUndefined()
    document.store.sever([ref])
    expect(readLinkEntries(document, PDFRef.of(ref))).toBeUndefined()
  })
})
