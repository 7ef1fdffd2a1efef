import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, type PDFRawStream } from 'pdf-lib'
import { expect, it } from 'vitest'
import { tagForms } from '../../../../engines/pdf/tags/tag-forms'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { saveDocument } from '../../../../engines/pdf/open-save/save'
import { PdfWriter } from '../../../fixtures/pdf-writer'
import { LIMITS } from '../../../support/run-on'

const name = (text: string) => PDFName.of(text)

/** A page whose structure refers to the marks 0 to 2 as the page's. Only mark 0 is in the content of the page. */
function makeFile({ form, content }: { form: string; content: string }): Buffer {
  const pdf = new PdfWriter()
  const [root, pages, page, tree, parents] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()]
  const drawing = pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 99 99]', form)
  const elements = [0, 1, 2].map(id =>
    pdf.add(`<</Type/StructElem/S/P/P ${tree} 0 R/Pg ${page} 0 R/K ${id === 2 ? '[2]' : id}>>`),
  )
  const refs = elements.map(element => `${element} 0 R`).join(' ')
  pdf.set(root, `<</Type/Catalog/Pages ${pages} 0 R/MarkInfo<</Marked true>>/StructTreeRoot ${tree} 0 R>>`)
  pdf.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  pdf.set(tree, `<</Type/StructTreeRoot/K[${refs}]/ParentTree ${parents} 0 R/ParentTreeNextKey 1>>`)
  pdf.set(parents, `<</Nums[0[${refs}]]>>`)
  pdf.set(
    page,
    `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 99 99]/StructParents 0/Contents ${pdf.addStream('', content)} 0 R` +
      `/Resources<</XObject<</X1 ${drawing} 0 R>>>>>>`,
  )
  return pdf.write({ root })
}

/** The form, if any, of each element's mark. Checks that the parent tree leads from the form back to the element. */
async function findForms(bytes: Uint8Array): Promise<(string | undefined)[]> {
  const document = openDocument(bytes, LIMITS)
  tagForms(document)
  const { context, catalog } = await PDFDocument.load(saveDocument(document).join())
  const root = catalog.lookup(name('StructTreeRoot'), PDFDict)
  const numbers = root.lookup(name('ParentTree'), PDFDict).lookup(name('Nums'), PDFArray)
  const entries = new Map<number, PDFArray>()
  for (let index = 0; index < numbers.size(); index += 2)
    entries.set(numbers.lookup(index, PDFNumber).asNumber(), numbers.lookup(index + 1, PDFArray))
  expect(root.lookup(name('ParentTreeNextKey'), PDFNumber).asNumber()).toBe(Math.max(...entries.keys()) + 1)
  return root
    .lookup(name('K'), PDFArray)
    .asArray()
    .map((ref, id) => {
      const value = context.lookup(ref, PDFDict).lookup(name('K'))
      const kid = value instanceof PDFArray ? value.lookup(0) : value
      if (kid instanceof PDFNumber) {
        expect(kid.asNumber()).toBe(id)
        expect(entries.get(0)?.get(id)).toBe(ref)
        return undefined
      }
      const reference = kid as PDFDict
      expect(reference.lookup(name('MCID'), PDFNumber).asNumber()).toBe(id)
      const stream = context.lookup(reference.get(name('Stm'))) as PDFRawStream
      const key = stream.dict.lookup(name('StructParents'), PDFNumber).asNumber()
      expect(entries.get(key)?.get(id)).toBe(ref)
      expect(entries.get(0)?.get(id)).not.toBe(ref)
      return 'X1'
    })
}

const mark = (id: number) => `/P <</MCID ${id}>> BDC 0 0 9 9 re f EMC`

it('connects marks in a form with their elements', async () => {
  const bytes = makeFile({ form: `${mark(1)} ${mark(2)}`, content: `${mark(0)} /X1 Do` })
  expect(await findForms(bytes)).toEqual([undefined, 'X1', 'X1'])
})

it('changes nothing if the page has the same mark, or draws the form twice', async () => {
  expect(await findForms(makeFile({ form: mark(1), content: `${mark(0)} ${mark(1)} /X1 Do` }))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(await findForms(makeFile({ form: mark(1), content: `${mark(0)} /X1 Do /X1 Do` }))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
