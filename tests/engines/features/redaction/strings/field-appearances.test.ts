import { PDFRef } from 'pdf-lib'
import { expect, it } from 'vitest'
import { redrawFields } from '../../../../../engines/features/redaction/strings/field-appearances'
import * as Name from '../../../../../engines/pdf/names'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { makeTrap } from '../../../../fixtures/traps'
import { LIMITS } from '../../../../support/run-on'

it('a field is drawn again if its parent was changed, even if the parent is its own parent', async () => {
  let [parent, field] = [0, 0]
  const { file } = makeTrap({
    page: (pdf, page) => {
      parent = pdf.reserve()
      const look = pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<<>>', '')
      field = pdf.add(
        `<</Type/Annot/Subtype/Widget/Rect[200 40 290 60]/DA(/F 12 Tf)/P ${page} 0 R/Parent ${parent} 0 R/AP<</N ${look} 0 R>>>>`,
      )
      pdf.set(parent, `<</FT/Tx/T(name)/V(Other)/Kids[${field} 0 R]/Parent ${parent} 0 R>>`)
      return `/Annots[${field} 0 R]`
    },
    catalog: () => `/AcroForm<</Fields[${parent} 0 R]>>`,
  })
  const document = openDocument(new Uint8Array(file), LIMITS)
  const look = () => String(document.peekDict(PDFRef.of(field))?.get(Name.AP))
  const before = look()
  await redrawFields(document, new Set([PDFRef.of(1)]))
  expect(look()).toBe(before)
  await redrawFields(document, new Set([PDFRef.of(parent)]))
  expect(look()).not.toBe(before)
})
