import type { ToolSection } from '../../types'
import { describePresetFigures } from './search-rules/preset-figures'
import { UNCHECKED_REASONS } from './unchecked-reasons'

/** Sections of the documentation page about redaction, in addition to the table of options. */
export const REDACTION_SECTIONS: readonly ToolSection[] = [
  {
    heading: 'What "verified" means',
    paragraphs: [
      'The header `X-Redaction-Verified` is `true` only if Sheaf checked the finished file and found nothing. For ' +
        'this check, Sheaf opens the finished file again. A second PDF engine (PDFium) looks for text under every ' +
        'area. PDFium also checks that the pixels of every box have the box color. Sheaf then reads every page that a ' +
        'rule covers and runs the rules again. Sheaf also searches all objects and decoded streams for each removed ' +
        'term of four or more characters. The search covers 8-bit encodings, UTF-8, UTF-16, and hexadecimal. Sheaf ' +
        'searches the stored bytes of images without decoding them. Sheaf does not search font programs and color ' +
        'profiles. For rules with `pages`, Sheaf checks only the text of those pages. If the removed text used an ' +
        'embedded font subset, Sheaf rebuilds the subset. The new subset has only the characters that the document ' +
        'still shows. Fonts that are embedded as a whole, and fonts of form fields, keep their glyphs. With `ocr`, ' +
        'Sheaf recognizes the redacted lines again.',
      'If the check finds content, Sheaf redacts that content again. If content remains, the page becomes a ' +
        'raster image. If content is still readable after that, the request returns 422 and costs nothing.',
    ],
    table: {
      columns: ['Result of the check', 'Response', 'X-Redaction-Verified', 'Charged'],
      rows: [
        ['Sheaf completed its checks and found nothing', '200', '`true`', 'Yes'],
        ["Sheaf found nothing, but couldn't complete its checks", '200', '`false`', 'Yes'],
        ["Sheaf couldn't complete its checks, and `requireVerified` is `true`", '422', 'Not sent', 'No'],
        ['Content is still readable', '422', 'Not sent', 'No'],
      ],
    },
    after: [
      "With `report: true`, the report lists in `notChecked` what Sheaf couldn't check, with page numbers and " +
        'font names.',
    ],
  },
  {
    heading: 'What is dropped',
    paragraphs: [
      'A redacted file has what the PDF standard (ISO 32000-2) defines, and a few keys that many programs use. Sheaf ' +
        'drops other keys, values of the wrong kind, and private data of programs. It also drops pages and form ' +
        'fields that no reader shows. This data may repeat what was removed. With `report: true`, the report counts ' +
        'it in `dropped` by key. With `keepUnknown: true` it stays. `X-Redaction-Verified` is then `false` if the ' +
        'document has any.',
    ],
  },
  {
    heading: "What can't be checked",
    paragraphs: ['Each of these reasons sets `X-Redaction-Verified` to `false`. The report names the reason.'],
    table: {
      columns: ['Reason', 'Meaning'],
      rows: Object.entries(UNCHECKED_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
    },
    after: [
      'Images are searched only with `ocr: true`. Without `ocr`, a page with images over at least half of it and ' +
        'without text sets `text-not-searchable`. Photos over a whole page count too, because they may show words. ' +
        'Stamps and page numbers at the edge of such a page, and text in its form fields, change nothing. Pages of ' +
        'one color are searched. On pages with text, also of an earlier recognition, only this text is searched. ' +
        'Without `ocr`, `X-Redaction-Verified: true` says nothing about words in images on these pages. Handwriting ' +
        'is never searched.',
      'Bytes of images, palettes, fonts and color profiles are searched for terms of 6 or more characters. A match ' +
        'there stays, and sets `X-Redaction-Verified: false`. Sheaf does not remove unused bytes after the data of ' +
        'JPEG 2000. Unused palette colors and hinting programs of fonts stay too.',
    ],
  },
  {
    heading: 'Words in images',
    paragraphs: [
      'With `ocr: true`, Sheaf recognizes each page as it looks. Sheaf also compares each image with its page. If the ' +
        'page does not show an image as it is, Sheaf recognizes the image alone, without its masks. Examples are ' +
        'images that are covered, cropped, transparent, tiny, or on a hidden layer. Other examples are unused images, ' +
        'alternates, thumbnails, icons of buttons, soft masks, and images in patterns. Sheaf then clears the pixels ' +
        'of words that match, in all uses of the image. Images of less than 12 pixels in width or height ' +
        'are not recognized alone.',
      'At most 300 images with 300 million pixels together are recognized alone. Small images count enlarged. If a ' +
        'document has more, the reason is `images`.',
    ],
  },
  {
    heading: 'Barcodes and QR codes',
    paragraphs: [
      'A barcode or QR code can contain a name or number that is nowhere else on the page. Without `barcodes`, Sheaf ' +
        'does not read codes, and `X-Redaction-Verified: true` says nothing about them. To remove a code, use an area.',
      'With `barcodes: true`, Sheaf reads the codes on pages and in images. If a rule matches the content of a code, ' +
        'Sheaf removes the whole code. This includes matches in percent-encoded URLs. Sheaf reads QR codes, Data ' +
        'Matrix, Aztec, PDF417, MaxiCode, Code 128, Code 39, Code 93, Codabar, ITF, DataBar, EAN and UPC. Sheaf may ' +
        'miss a code that is damaged. It may also miss a code whose smallest part is less than 0.25 mm wide.',
    ],
  },
  describePresetFigures(),
  {
    heading: 'Width of removed words',
    paragraphs: [
      'The width of a box reveals how long the removed word was. In proportional fonts, this width can narrow a ' +
        'list of candidate names down to a few. The positions of the letters after the box help too. Bland, Iyer, ' +
        'and Levchenko show this in "Story Beyond the Eye: Glyph Positions Break PDF Text Redaction" (PoPETs 2023). ' +
        "Removing the text doesn't hide this width.",
      'With `hideWidths: true`, every page with areas or matches becomes an image of 200 DPI. The width of each box ' +
        'on a line of text is a multiple of a step. The step is 72 points for text up to 12 points. For text up to 24 ' +
        'points, it is 144 points, and so on. The words after the box move right. If the line gets too long, these ' +
        'words become narrower. The searchable text has the same new positions, rounded to pixels.',
      "`hideWidths` doesn't hide how many steps a box has, how many lines it takes, or what the sentence suggests. " +
        'If a table cell or column leaves too little room, the box is shorter than its step. In justified lines the ' +
        'word gaps still depend on the removed word. The start of a centered or right-aligned line depends on the ' +
        'removed word too. A person can measure the gaps and the start of the line in the image. Boxes over several ' +
        'lines keep their size. So does a box with an annotation after it on its line. In scans, Sheaf moves the ' +
        'pixels of words, so small differences in their positions remain. If the paper has shadows or texture, the ' +
        'line stays as it is.',
    ],
  },
]
