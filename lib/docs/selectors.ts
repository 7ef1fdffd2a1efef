/** One form of a page selector, with the pages that it selects in a document of 10 pages. */
export interface SelectorForm {
  /** Anchor on the page. */
  id: string
  /** Ways to write the form. */
  forms: string[]
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
    forms: ['[1, 3]'],
    meaning: 'An array of page numbers.',
    example: [1, 3],
    pages: [1, 3],
  },
  {
    id: 'selector-all',
    forms: ['all'],
    meaning: 'Every page.',
    example: 'all',
    pages: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  },
  {
    id: 'selector-odd-even',
    forms: ['odd', 'even'],
    meaning: 'Pages with an odd number, or pages with an even number.',
    example: 'odd',
    pages: [1, 3, 5, 7, 9],
  },
  { id: 'selector-page', forms: ['5'], meaning: 'One page.', example: '5', pages: [5] },
  {
    id: 'selector-range',
    forms: ['3-7'],
    meaning: 'A range. It goes backwards if the first number is larger.',
    example: '7-5',
    pages: [7, 6, 5],
  },
  { id: 'selector-to-last', forms: ['8-'], meaning: 'From a page to the last page.', example: '8-', pages: [8, 9, 10] },
  {
    id: 'selector-first-last',
    forms: ['first', 'last'],
    meaning: 'The first page, or the last page. `end` and `z` also mean the last page.',
    example: 'last',
    pages: [10],
  },
  {
    id: 'selector-from-end',
    forms: ['r2'],
    meaning:
      'A page counted from the end. `r1` is the last page. Ranges can begin and end with `r2`, `first` and `last`, ' +
      'too.',
    example: 'r3-r1',
    pages: [8, 9, 10],
  },
  {
    id: 'selector-several',
    forms: ['last,1-2'],
    meaning: 'Several terms, in this order.',
    example: 'last,1-2',
    pages: [10, 1, 2],
  },
  {
    id: 'selector-except',
    forms: ['!4'],
    meaning:
      'Removes page 4 from the terms before `!4`. If `!4` is the first term, it selects all other pages. `x4` means ' +
      'the same as `!4`.',
    example: '1-6,!3-4',
    pages: [1, 2, 5, 6],
  },
  {
    id: 'selector-every-other',
    forms: ['2-7:odd', '2-7:even'],
    meaning: 'With `:odd`, the 1st, 3rd, 5th, … page of a term. With `:even`, the other pages of the term.',
    example: '2-7:odd',
    pages: [2, 4, 6],
  },
]
