import { expect, it } from 'vitest'
import { dropPrivateData } from '../../../../engines/features/compression/private-data'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { saveDocument } from '../../../../engines/pdf/open-save/save'
import { Draft } from '../../../fixtures/draft'
import { LIMITS } from '../../../support/run-on'

it('what Apple Preview stores in annotations goes, and the annotation stays', () => {
  const draft = new Draft({ pages: 1 })
  draft
    .page(1)
    .annotations.push(
      draft.pdf.add(
        '<</Type/Annot/Subtype/Square/Rect[0 0 9 9]/Contents(note)/AAPL:AKExtras<</Data(extra)>>' +
          '/AAPL:AKAnnotationObject(archive)>>',
      ) + ' 0 R',
    )
  draft.catalog.push('/Names<</AAPL:AKNames(kept)>>')
  const document = openDocument(draft.write(), LIMITS)
  dropPrivateData(document)
  const text = Buffer.from(saveDocument(document).join()).toString('latin1')
  expect(text).toContain('(note)')
  expect(text).toContain('(kept)')
  expect(text).not.toMatch(/extra|archive/)
})
