/** One form of a page selector, with the pages that it selects in a document of 10 pages. */
export interface SelectorForm {
  /** Anchor on the page. */
  id: string
  form: string
  meaning: string
  example: string | number[]
  /** Page numbers from 1. */
  pages: number[]
}

/** Number of pages of the document in the examples. */
export const EXAMPLE_PAGE_COUNT = 10

/** Every form of a page selector. A test compares the examples with the engine. */
export const SELECTOR_FORMS: SelectorForm[] = [
  {
    id: 'selector-list',
    form: '[1, 3]',
    meaning: 'An array of page numbers.',
    example: [1, 3],
    pages: [1, 3],
  },
  { id: 'selector-all', form: 'all', meaning: 'Every page.', example: 'all', pages: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  {
    id: 'selector-odd-even',
    form: 'odd, even',
    meaning: 'Pages with an odd or an even number.',
    example: 'odd',
    pages: [1, 3, 5, 7, 9],
  },
  { id: 'selector-page', form: '5', meaning: 'One page.', example: '5', pages: [5] },
  {
    id: 'selector-range',
    form: '3-7',
    meaning: 'A range. It goes backwards if the first number is larger.',
    example: '7-5',
    pages: [7, 6, 5],
  },
  { id: 'selector-to-last', form: '8-', meaning: 'From a page to the last page.', example: '8-', pages: [8, 9, 10] },
  {
    id: 'selector-first-last',
    form: 'first, last',
    meaning: 'The first and the last page. `end` and `z` also mean the last page.',
    example: 'first,last',
    pages: [1, 10],
  },
  {
    id: 'selector-from-end',
    form: 'r2',
    meaning:
      'A page counted from the end. `r1` is the last page. Ranges can contain it, as well as `first` and `last`.',
    example: 'r3-r1',
    pages: [8, 9, 10],
  },
  {
    id: 'selector-except',
    form: '!4',
    meaning:
      'Removes pages from the terms before it. As the first term, it selects all other pages. `x4` means the same.',
    example: '1-6,!3-4',
    pages: [1, 2, 5, 6],
  },
  {
    id: 'selector-every-other',
    form: ':odd, :even',
    meaning: 'Added to a term, `:odd` keeps the 1st, 3rd, 5th, … page of the term. `:even` keeps the others.',
    example: '2-7:odd',
    pages: [2, 4, 6],
  },
  { id: 'selector-several', form: 'a,b', meaning: 'Several terms, in order.', example: 'last,1-2', pages: [10, 1, 2] },
]
