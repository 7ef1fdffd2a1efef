import type { ToolSection } from '../types'
import { describePresetFigures } from './rules/preset-figures'
import { UNCHECKED_REASONS } from './unchecked-reasons'

/** Sections of the documentation page about redaction, besides the table of options. */
export const REDACTION_SECTIONS: readonly ToolSection[] = [
  {
    heading: 'What "verified" means',
    paragraphs: [
      'The header `X-Redaction-Verified` is `true` only if Sheaf checked the finished file and found nothing. For ' +
        'this check the file is opened again. A second PDF engine (PDFium) looks for text under every area. It ' +
        'compares the pixels of every box with its color. It then reads every page that a rule covers and runs the ' +
        'rules again. All objects and decoded streams are searched for each removed term of four or more characters. ' +
        'The search covers 8-bit encodings, UTF-8, UTF-16, and hexadecimal. Image data is searched as it is stored. Font programs ' +
        'and color profiles are not searched. Rules with `pages` are checked on the text of those pages only. ' +
        'Embedded font subsets that lost text are rebuilt from the characters that the document still shows. Fonts ' +
        'that are embedded as a whole, and fonts of form fields, keep their glyphs. With `ocr`, the redacted lines ' +
        'are recognized again.',
      'If the check finds something, Sheaf redacts it again. If that does not help, the page becomes a raster ' +
        'image. If content is still readable after that, the request returns 422 and is not charged.',
    ],
    table: {
      columns: ['Result of the check', 'Response', 'X-Redaction-Verified', 'Charged'],
      rows: [
        ['Everything was checked, and nothing is left', '200', '`true`', 'Yes'],
        ['Nothing was found, but something could not be checked', '200', '`false`', 'Yes'],
        ['The same, with `requireVerified: true`', '422', 'Not sent', 'No'],
        ['Content is still readable', '422', 'Not sent', 'No'],
      ],
    },
    after: [
      'With `report: true`, the report lists in `notChecked` what could not be checked, with page numbers and font ' +
        'names.',
    ],
  },
  {
    heading: "What can't be checked",
    paragraphs: ['Each of these sets `X-Redaction-Verified` to `false`. The report names the reason.'],
    table: {
      columns: ['Reason', 'Meaning'],
      rows: Object.entries(UNCHECKED_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
    },
    after: [
      'Images are searched only with `ocr: true`. Without it, `true` says nothing about words in scans and photos. ' +
        'Handwriting is never searched.',
    ],
  },
  describePresetFigures(),
  {
    heading: 'Width of removed words',
    paragraphs: [
      'A box can tell how long the removed word was. In proportional fonts, the width of the gap narrows a ' +
        'list of candidate names down to a few. So do the positions of the letters behind it. Bland, Iyer, and Levchenko show ' +
        'this in "Story Beyond the Eye: Glyph Positions Break PDF Text Redaction" (PoPETs 2023). Removing the text ' +
        "doesn't change that.",
      'With `hideWidths: true`, every page with areas becomes an image of 200 DPI. Each box on a line of text is ' +
        'as wide as a multiple of 72 points. Text larger than 12 points has larger steps. The words behind the box move ' +
        'right, and become narrower if the line would get too long. The searchable text has the same new positions, ' +
        'rounded to pixels.',
      "`hideWidths` doesn't hide how many steps a box has, how many lines it takes, or what the sentence suggests. " +
        'If a table cell or column leaves too little room, the box is shorter than its step. In justified lines the ' +
        'word gaps still depend on the removed word. So does the start of a centered or right-aligned line. Both can ' +
        'be measured in pixels. Areas over several lines keep their size. So do lines where an annotation stands ' +
        'behind the box. In scans, words move as pixels. Small differences stay there, and on uneven paper the line ' +
        'stays as it is.',
    ],
  },
]
