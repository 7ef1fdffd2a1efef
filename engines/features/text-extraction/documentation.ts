import type { ToolSection } from '../../types'

const TITLE_BOX = { x: 64, y: 722.8, width: 177.71, height: 26 }

/** The response for the first block of the sample report.pdf. */
const EXAMPLE_RESPONSE = {
  pages: [
    {
      page: 1,
      width: 595.28,
      height: 841.89,
      source: 'layout',
      blocks: [
        {
          type: 'heading',
          level: 1,
          text: 'Harvest report',
          box: TITLE_BOX,
          lines: [
            {
              text: 'Harvest report',
              box: TITLE_BOX,
              fontSize: 26,
              isBold: true,
              words: [
                { text: 'Harvest', box: { x: 64, y: 722.8, width: 95.37, height: 26 } },
                { text: 'report', box: { x: 166.6, y: 722.8, width: 75.11, height: 26 } },
              ],
            },
          ],
        },
      ],
      links: [],
    },
  ],
}

/** The documentation of the response, besides the options. */
export const EXTRACTION_SECTIONS: readonly ToolSection[] = [
  {
    heading: 'Where the order comes from',
    paragraphs: [
      'If a page is tagged, Sheaf follows the tags: their order, headings, lists, tables, alternative texts and ' +
        '`ActualText`. Tags that cover less than 70% of the words of a page are ignored. Sheaf also ' +
        'ignores tags that only group, such as `Sect`, and tags that the file marks as suspect.',
      'Text without tags above or below the tagged text is a header or footer.',
      'Without tags, Sheaf reads the layout. It finds columns, headings by size and weight, and lists by their marks. ' +
        'It finds tables by their borders or by the alignment of their cells. Results can be wrong if the layout is ' +
        'unusual.',
      'Words that a line break divides are joined. Right-to-left text is in logical order. Scans have ' +
        'invisible text above an image, which OCR made. Sheaf reads it. Other invisible text is left out.',
      'The text of form fields and of free text annotations is part of the page, as on screen. It follows its label ' +
        'if the page is tagged. Hidden fields, password fields and other annotations are left out. Blocks ' +
        'beside each other, such as two addresses, are read one after the other.',
      'Text of layers that are hidden on screen is left out, with the warning `hidden-layer-left-out`.',
    ],
  },
  {
    heading: 'Markdown',
    paragraphs: [
      'Headings have one to six `#`. List items begin with `-` or a number. Tables are pipe tables, and their first row ' +
        'is the header. A cell that spans several places has its text in the first one, and the others are empty.',
      'Text in a font of equal widths is code, as in `` `make all` ``. Lines of such text are a fenced block, with their ' +
        'indentation and empty lines. Where most text of the file has such a font, the font says nothing.',
      'Text below a link annotation becomes a link, such as `[our site](https://example.com/)`. This applies to ' +
        '`http`, `https`, `ftp`, `mailto` and `tel`. Other schemes, such as `javascript`, and links within the ' +
        'document stay text. Characters such as spaces are percent-encoded.',
      'A page after the first one begins with a comment, such as `<!-- Page 2 -->`. With `headersFooters: mark`, a ' +
        'header is a comment, such as `<!-- Header: Annual report -->`.',
      'An example: `# Rivers`, an empty line, `The river begins in the hills.`, an empty line, `| Town | People |`, ' +
        '`| --- | --- |`, `| Arden | 4,100 |`.',
    ],
  },
  {
    heading: 'Format of the JSON',
    paragraphs: [
      'The response is `{"pages": […]}`. A `box` has `x`, `y`, `width` and `height` in points, from the lower-left corner ' +
        'of the page as displayed. The areas of the redaction and crop endpoints use the same numbers by default.',
      'This is the response for the title of [report.pdf](/samples/report.pdf), without the rest of the page:',
    ],
    example: { json: EXAMPLE_RESPONSE, what: 'a response of extract-text' },
    table: {
      columns: ['Object', 'Field', 'Meaning'],
      rows: [
        ['page', '`page`, `width`, `height`', 'Number of the page from 1, and its size as displayed in points.'],
        ['page', '`source`', '`tags`, `layout`, `ocr`, or `none` for a page without text.'],
        ['page', '`blocks`', 'Blocks in reading order.'],
        ['page', '`links`', 'Links to URLs on the page, one for each link annotation.'],
        [
          'block',
          '`type`',
          '`paragraph`, `heading`, `list-item`, `table`, `caption`, `code`, `quote`, `figure`, `header` or `footer`.',
        ],
        ['block', '`level`', 'Level of a heading from 1 to 6, or depth of a list item from 1.'],
        ['block', '`marker`', 'Mark of a list item, such as `•` or `2.`.'],
        ['block', '`alternativeText`', 'Description of a figure from the tags.'],
        [
          'block',
          '`text`, `box`',
          'Text as one paragraph, and its box. A figure without words has the box of its image, if Sheaf finds it. ' +
            'Other blocks without words have `null`.',
        ],
        ['block', '`lines`', 'Lines of the block. Tables have `rowCount`, `columnCount` and `cells` in place of it.'],
        [
          'cell',
          '`row`, `column`, `rowSpan`, `columnSpan`',
          'Position of the cell from 0, and the number of rows and columns that it covers.',
        ],
        ['cell', '`isHeader`', '`true` if the tags say that it is a header cell.'],
        ['cell', '`text`, `box`, `lines`', 'As in a block.'],
        ['line', '`text`, `box`, `words`', 'Text of the line, its box, and its words.'],
        ['line', '`fontSize`, `isBold`', 'Most common font size in points, and whether most of the text is bold.'],
        ['word', '`text`, `box`', 'The word as on the page.'],
        ['word', '`confidence`', 'Confidence from 0 to 100. Only for recognized words.'],
        ['link', '`text`', 'The words below the link. Empty if there are none, as for a linked image.'],
        ['link', '`url`, `box`', 'The URL, and the rectangle of the annotation.'],
      ],
    },
  },
]
