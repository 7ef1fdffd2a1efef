import type { ToolSection } from '../../types'

/** The documentation of a comparison, apart from its options. */
export const COMPARISON_SECTIONS: readonly ToolSection[] = [
  {
    heading: 'The PDF',
    paragraphs: [
      '`side-by-side` shows a page of the first file on the left and its counterpart on the right. Removed words are ' +
        'red and crossed out. Inserted words are green. Words that moved to another place are blue. Areas that look ' +
        'different have an amber outline.',
      '`overlay` shows both pages on top of each other. What only the first file has is red. What only the second file ' +
        'has is blue. What both have is dark. This suits drawings and plans.',
      '`after` returns the second file. Each change has a comment that PDF readers list. The comment states the old text.',
      'Pages stay vector graphics and searchable text in all layouts.',
    ],
  },
  {
    heading: 'The JSON report',
    paragraphs: [
      '`equal` is `true` if there are no changes under the options. `changes` is their number, as in the header ' +
        '`X-Changes`. `totals` has the numbers of pages, text changes and visual changes by kind.',
      '`pages` has one entry for each page of the second file, and for each page that was removed. Its fields:',
    ],
    table: {
      columns: ['Field', 'Meaning'],
      rows: [
        ['`before`, `after`', 'Page numbers in both files, from 1. `null` if the file has no counterpart.'],
        ['`change`', '`same`, `changed`, `inserted`, `removed` or `moved`. A moved page can have changes too.'],
        [
          '`text`',
          'Text changes. `kind` is `replaced`, `removed`, `inserted` or `moved`. `removed` and `inserted` are `null`, or ' +
            'have `page`, `text` and `boxes`. `areas` are places around the text that look different too.',
        ],
        [
          '`visual`',
          'Areas that look different, as a box on each page: `before` and `after`. The boxes differ if something moved.',
        ],
        ['`size`', 'Width, height and rotation of both pages, if they or the visible areas differ. Otherwise `null`.'],
        ['`reflowed`', '`true` if text moved between this page and the pages beside it.'],
        ['`textCompared`', "`false` if the text of a page can't be read."],
        [
          '`visualComparison`',
          '`rendered`: the pages were compared as images. `identical`: their content is equal byte by byte. `off`: ' +
            "`pixels` is `false`. `failed`: a page can't be rendered. `null`: there is no counterpart.",
        ],
      ],
    },
    after: [
      'Boxes have `x`, `y`, `width` and `height` in points, from the lower-left corner of the page as displayed. ' +
        'Redaction and cropping use the same coordinates by default.',
    ],
  },
  {
    heading: 'What counts as a change',
    paragraphs: [
      'Each inserted, removed or moved page is one change. On other pages, each passage of words and each visual area ' +
        'is one change. Another page size and another rotation are one change each.',
      'A changed area that contains all words of one text change belongs to this change. Examples are a frame around ' +
        'a note and the borders of a table row. Something that moved within a page is one visual change. Lines and ' +
        "images that move with the text below inserted or removed words don't count.",
      'Text that flows to the next page is not a change by itself. If it flowed although no text changed, each page ' +
        'counts as one change.',
      'Words are compared in reading order. Chinese, Japanese, Thai, Lao, Khmer and Burmese text is compared by ' +
        'characters. A word divided at the end of a line equals the undivided word. Invisible text, such as the text ' +
        'layer of a scan, counts as text.',
      'Sheaf compares the look of two pages only where the words say nothing. Anti-aliasing and shifts of less than a ' +
        'pixel are not changes.',
      'If all content of a page was replaced, the page counts as changed. Both files must have as many pages at that place.',
    ],
  },
]
