import { expect, it } from 'vitest'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { findAnnotationBounds } from '../../../../../engines/features/redaction/related/remaining-annotations'
import { Draft } from '../../../../fixtures/draft'
import { LIMITS } from '../../../../support/run-on'

it('annotations that cover a part of the page remain', () => {
  const draft = new Draft({ pages: 1 })
  const squares = ['1 2 3 4', '1 2 1 4', '1 2 3 2', '1 2 3'].map(rect => `<</Subtype/Square/Rect[${rect}]>>`)
  draft.page(1).annotations.push(...squares, '<</Subtype/Link/Rect[1 2 3 4]>>', '<</Subtype/Square>>', 'null')
  const document = openDocument(draft.write(), LIMITS)
  expect(findAnnotationBounds(document, 0)).toEqual([{ left: 1, bottom: 2, right: 3, top: 4 }])
  expect(findAnnotationBounds(document, 1)).toEqual([])
})
