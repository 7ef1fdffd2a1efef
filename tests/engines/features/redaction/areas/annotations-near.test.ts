import { expect, it } from 'vitest'
import { removeAnnotationsNear } from '../../../../../engines/features/redaction/areas/annotations-near'
import { resolveAreas } from '../../../../../engines/features/redaction/areas/areas'
import { annotationsOf } from '../../../../../engines/pdf/annotations'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { Draft } from '../../../../fixtures/draft'
import { LIMITS } from '../../../../support/run-on'

/** The end of one line and the beginning of the next one, as a highlight marks them. */
const QUADS = '160 160 200 160 160 145 200 145 60 115 100 115 60 100 100 100'

it.each([
  ['beside its marked words', { x: 60, y: 145, width: 60, height: 10 }, QUADS, 1],
  ['over a marked word', { x: 170, y: 145, width: 10, height: 10 }, QUADS, 0],
  [
    'in its rectangle if a quad lies outside',
    { x: 60, y: 145, width: 60, height: 10 },
    QUADS.replaceAll('60', '10'),
    0,
  ],
])('of highlights with an area %s, so many stay', (_, place, quads, count) => {
  const draft = new Draft({ pages: 1 })
  draft.page(1).annotations.push(`<</Type/Annot/Subtype/Highlight/Rect[60 100 200 160]/QuadPoints[${quads}]>>`)
  const document = openDocument(draft.write(), LIMITS)
  removeAnnotationsNear(document, resolveAreas(document, [{ ...place, page: 1, unit: 'pt', origin: 'user-space' }], 0))
  const [page] = document.pages
  expect(page && annotationsOf(document, page).length).toBe(count)
})
