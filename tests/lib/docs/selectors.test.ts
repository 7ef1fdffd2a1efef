import { expect, it } from 'vitest'
import { resolvePages } from '../../../engines/options/selectors'
import { EXAMPLE_PAGE_COUNT, SELECTOR_FORMS } from '../../../lib/docs/selectors'

it.each(SELECTOR_FORMS)('the selector $example selects the pages in the documentation', ({ example, pages }) => {
  expect(resolvePages(example, EXAMPLE_PAGE_COUNT, 'options.pages').map(index => index + 1)).toEqual(pages)
})

it('documented aliases are equal', () => {
  const pages = (text: string) => resolvePages(text, EXAMPLE_PAGE_COUNT, 'options.pages')
  expect([pages('end'), pages('z')]).toEqual([pages('last'), pages('last')])
  expect(pages('x4')).toEqual(pages('!4'))
  expect(pages(' 1 - 3 , LAST ')).toEqual(pages('1-3,last'))
})
