import * as z from 'zod'
import { boundedText } from '../../options/bounded-text'
import { alternatives } from '../../options/alternatives'
import { readHexColor } from '../../options/colors'
import { colorOption, drawnTextOption, languageCodes, outputNameOption, pagesOption } from '../../options/schemas'
import { PRESETS } from './search-rules/presets'
import { inForm } from '../../options/form-hints'
import { ORIGIN_CHOICES } from '../../options/placement'

const MOST_AREAS = 5000
const MOST_RULES = 100
const MOST_REGEX = 1000
const FAR = 1_000_000

const place = (meaning: string) => z.number().min(-FAR).max(FAR).describe(meaning)
const extent = (meaning: string) => z.number().gt(0).max(FAR).describe(meaning)

/** Text that is drawn in the box over the removed content. */
const replacementText = drawnTextOption(
  "Text to write into the box. `fontSize` sets its size. Text that doesn't fit its box gets smaller. Default: none.",
  { max: 500, hasLines: true },
)
  .optional()
  .meta(inForm({ label: 'Text in the box' }))

const area = z
  .strictObject({
    page: z
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('Page number, from 1. Send either `page` or `pages`.')
      .meta(inForm({ appliesIf: [{ pages: 'unset' }] })),
    pages: pagesOption('Several pages with the same area, in place of `page`.').optional(),
    x: place('Left edge of the area, from `origin`.').meta(inForm({ label: 'Horizontal position' })),
    y: place('Lower edge of the area, from `origin`. With `top-left`: upper edge, measured downwards.').meta(
      inForm({ label: 'Vertical position' }),
    ),
    width: extent('Width of the area.'),
    height: extent('Height of the area.'),
    unit: z
      .enum(['pt', 'mm', 'cm', 'in', 'px', '%'])
      .default('pt')
      .describe(
        'Unit of the four numbers: points, millimeters, centimeters, inches, pixels of 1/96 inch, or percent ' +
          'of the page as displayed.',
      )
      .meta(
        inForm({
          choices: {
            pt: 'Points',
            mm: 'Millimeters',
            cm: 'Centimeters',
            in: 'Inches',
            px: 'Pixels',
            '%': 'Percent of the page',
          },
        }),
      ),
    origin: z
      .enum(['bottom-left', 'top-left', 'user-space'])
      .default('bottom-left')
      .describe(
        'Origin of the coordinates: the lower-left or upper-left corner of the page as displayed (after ' +
          'rotation and CropBox). Or `user-space`: PDF coordinates in the units of the page.',
      )
      .meta(
        inForm({
          label: 'Measure from',
          choices: ORIGIN_CHOICES,
        }),
      ),
    replacementText,
  })
  .superRefine(({ page, pages, unit, origin }, context) => {
    if (page === undefined && pages === undefined)
      context.addIssue({
        code: 'custom',
        path: ['page'],
        message: 'is required. Send the number of a page, or several in `pages`.',
      })
    if (page !== undefined && pages !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['pages'],
        message: "can't be combined with page. Send only one of them.",
      })
    if (unit === '%' && origin === 'user-space')
      context.addIssue({
        code: 'custom',
        path: ['unit'],
        message: '"%" can\'t be combined with origin "user-space". Percentages refer to the page as displayed.',
      })
  })
  .meta(alternatives({ required: ['page'], without: ['pages'] }, { required: ['pages'], without: ['page'] }))

const textColor = boundedText(40)
  .transform((value, context) => {
    if (value === 'auto') return undefined
    const color = readHexColor(value)
    if (!color)
      context.addIssue({
        code: 'custom',
        message: `must be a color. Got "${value.slice(0, 40)}". Use auto, #RRGGBB or #RGB.`,
      })
    return color ?? z.NEVER
  })
  .prefault('auto')
  .describe(
    'Color of the replacement text, `#RRGGBB` or `#RGB`. `auto` is black or white, whichever has more contrast ' +
      'with `color`.',
  )
  .meta(inForm({ label: 'Text color' }))

const rule = z
  .strictObject({
    text: boundedText(500)
      .min(1)
      .optional()
      .describe(
        'Text to find, as a reader sees it. A match can continue on the next line, column or page, or after a hyphen ' +
          'at a line end. Ligatures, full-width and other compatibility forms match plain letters (Unicode NFKC). All ' +
          'apostrophes match one another, as do all quotes, all hyphens and dashes, and all spaces. An accented letter ' +
          "matches both as one character and as a letter with a combining accent. A letter without an accent doesn't " +
          'match one with an accent. Exception: some files draw an accent as a separate character. There, the letter ' +
          'without the accent matches too. Capital and small letters match unless `caseSensitive` is `true`. For ' +
          'example, `ß` matches `SS`, and the Turkish `İ` and `ı` match `i`. Digits of all scripts match. So do letters ' +
          'of other scripts that look like the Latin letters beside them. A number of six or more digits also matches ' +
          'in other groups, such as `7.283.911`. A phrase of eight or more letters also matches as in file names, such ' +
          'as `jane_miller`.',
      )
      .meta(inForm({ appliesIf: [{ regex: 'unset', preset: 'unset' }] })),
    regex: boundedText(MOST_REGEX)
      .min(1)
      .optional()
      .describe(
        "Regular expression in RE2 syntax. Look-around and back-references aren't available. The expression runs on " +
          'the text of a page as one line. The text is in Unicode NFKC form, without invisible characters. Every run ' +
          'of spaces and line ends is one space. To match an apostrophe, quote or dash of the document, use the same ' +
          'character or its ASCII form (`\'`, `"` or `-`). If a hyphen splits a word at a line end, the expression ' +
          'matches with and without the hyphen. Matches can continue on the next page.',
      )
      .meta(inForm({ label: 'Regular expression', appliesIf: [{ preset: 'unset' }] })),
    preset: z
      .enum(PRESETS)
      .optional()
      .describe(
        'Kind of data to find. `iban` and `credit-card` find numbers with valid check digits, in any grouping. ' +
          '`phone` finds international numbers and the usual national forms of more than 20 countries. `ssn` finds ' +
          'US Social Security numbers. It also finds valid numbers without hyphens, unless a label such as "order" ' +
          'precedes them. `email` also finds `[at]`, `(at)` and `[dot]`. `date` finds numeric dates, ISO dates with ' +
          'a time, and dates with month names in 12 languages. `url` continues on the next line if the break is ' +
          'inside the URL. `vat-id` covers the EU, the UK, Switzerland and Norway. `zip` is a US ZIP code: five ' +
          'digits, or nine with a hyphen.',
      )
      .meta(
        inForm({
          label: 'Kind of data',
          choices: {
            email: 'Email addresses',
            phone: 'Phone numbers',
            iban: 'IBANs',
            'credit-card': 'Credit card numbers',
            ssn: 'US Social Security numbers',
            date: 'Dates',
            url: 'URLs',
            ipv4: 'IPv4 addresses',
            ipv6: 'IPv6 addresses',
            'vat-id': 'VAT IDs',
            zip: 'US ZIP codes',
          },
        }),
      ),
    pages: pagesOption("Pages to search. With `pages`, bookmarks and document properties aren't searched.").optional(),
    caseSensitive: z
      .boolean()
      .default(false)
      .describe('If `true`, `text` and `regex` match capital and small letters only as written.')
      .meta(inForm({ label: 'Match case', appliesIf: [{ preset: 'unset' }] })),
    wholeWord: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, a match must begin and end at a word boundary. No letter, digit, accent or underscore may be ' +
          'next to it. Hyphens and apostrophes are boundaries, so `Ann` matches in `Mary-Ann`. Chinese, Japanese, ' +
          'Thai, Lao, Khmer and Burmese words are told apart by Unicode rules and dictionaries.',
      )
      .meta(inForm({ label: 'Whole words only' })),
    replacementText,
  })
  .superRefine(({ text, regex, preset }, context) => {
    const criteriaCount = [text, regex, preset].filter(value => value !== undefined).length
    if (criteriaCount !== 1)
      context.addIssue({
        code: 'custom',
        path: ['text'],
        message:
          criteriaCount === 0
            ? 'is required. Send text, regex or preset.'
            : "can't be combined with regex or preset. Send only one of them.",
      })
    if (text?.trim() === '')
      context.addIssue({
        code: 'custom',
        path: ['text'],
        message: 'must not be blank. Send the text to find.',
      })
  })
  .meta(
    alternatives(
      { required: ['text'], without: ['regex', 'preset'] },
      { required: ['regex'], without: ['text', 'preset'] },
      { required: ['preset'], without: ['text', 'regex'] },
    ),
  )

/** The schema of the tool's options. */
export const redactionFields = {
  areas: z
    .array(area)
    .min(1)
    .max(MOST_AREAS)
    .optional()
    .describe(
      'Areas of pages. Sheaf removes the content under each area and draws a box over the area. If an area ' +
        "doesn't overlap its page, the request returns an error. Actions of the page go, and other actions and " +
        'identifiers lose the words under the area. Bookmarks and document properties stay. Text outside ' +
        'the page as displayed stays too (warning `text-outside-page`).',
    ),
  search: z
    .array(rule)
    .min(1)
    .max(MOST_RULES)
    .optional()
    .describe(
      'Rules for content to find and remove. Each rule has one of `text`, `regex` and `preset`. Rules apply to the ' +
        'text of pages, form field values, annotations, links, bookmarks, document properties and XMP. Rules find ' +
        'text in images only with `ocr`, and in barcodes only with `barcodes`.',
    )
    .meta(inForm({ label: 'Text to find' })),
  ocr: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, rules of `search` also find words in images. Sheaf recognizes all pages that rules cover, as in ' +
        'pdf-ocr. More than 200 such pages return an error. Sheaf also recognizes each image that a page does not show ' +
        'as it is, such as covered and unused images. If a part of a word matches, Sheaf removes the pixels of ' +
        'the whole word. To check the result, Sheaf recognizes the redacted lines again. Recognition can misread ' +
        'words. A scan with low confidence gets the warning `ocr-low-confidence`.',
    )
    .meta(inForm({ label: 'Search in images', appliesIf: [{ search: 'set' }] })),
  languages: languageCodes
    .optional()
    .describe(
      'With `ocr`: languages of words in images, as Tesseract codes such as `eng`, `deu` or `chi_sim`. Put the ' +
        'most important language first. Default: `["eng"]`. If a language isn\'t installed, the request returns an ' +
        'error that lists the installed codes.',
    )
    .meta(inForm({ label: 'Languages in images', appliesIf: [{ ocr: [true] }] })),
  barcodes: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, rules of `search` also find barcodes and QR codes with a match in their content. Sheaf removes the ' +
        'whole code. Sheaf reads the codes on all pages that rules cover, and in all images. More than 200 such pages ' +
        'return an error. To check the result, Sheaf reads the codes of pages with removed codes again. Damaged codes ' +
        "can't be read.",
    )
    .meta(inForm({ label: 'Search in barcodes', appliesIf: [{ search: 'set' }] })),
  onNoMatch: z
    .enum(['ok', 'error'])
    .default('ok')
    .describe(
      'If a rule of `search` matches nothing: `ok` returns the document with the warning ' +
        '`redaction-no-match`. `error` returns an error.',
    )
    .meta(
      inForm({
        label: 'If nothing matches',
        choices: { ok: 'Return the document', error: 'Return an error' },
        appliesIf: [{ search: 'set' }],
      }),
    ),
  color: colorOption('Color of the boxes.', '#000000').meta(inForm({ label: 'Box color' })),
  textColor,
  fontSize: z
    .number()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Font size of the replacement text in points. Text that doesn't fit its box gets smaller. Default: as large " +
        'as fits, at most 24.',
    ),
  repeatText: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, repeats the replacement text to fill its box. The font size is then `fontSize`, or 8 points ' +
        'by default.',
    )
    .meta(inForm({ label: 'Repeat the text' })),
  padding: z
    .number()
    .min(0)
    .max(100)
    .default(0.5)
    .describe('Points to add on each side of every area.')
    .meta(inForm({ label: 'Space around areas' })),
  images: z
    .enum(['overlap', 'remove', 'all'])
    .default('overlap')
    .describe(
      'How to redact images. `overlap` removes the pixels under an area. `remove` removes every image that an ' +
        'area touches. `all` removes every image of the document, even without areas or rules. The place of a ' +
        'removed image stays blank.',
    )
    .meta(
      inForm({
        choices: { overlap: 'Remove covered pixels', remove: 'Remove touched images', all: 'Remove all images' },
      }),
    ),
  rasterize: z
    .union([z.literal(false), z.enum(['pages', 'all'])])
    .default(false)
    .describe(
      'Turns pages into images of 200 DPI. `pages`: pages with areas or matches. `all`: every page. Text that you ' +
        "don't redact stays searchable and selectable, as invisible text. `false`: only pages where content can't be " +
        'removed otherwise (warning `page-rasterized`).',
    )
    .meta(
      inForm({
        label: 'Turn pages into images',
        choices: { false: 'Only if necessary', pages: 'Pages with redactions', all: 'All pages' },
      }),
    ),
  attachments: z
    .enum(['keep', 'remove'])
    .default('keep')
    .describe(
      "Sheaf doesn't redact attached files. `keep` keeps attached files in the document (warning " +
        '`attachments-not-searched`). Rules only look for matches in attached plain text files of up to 5 MB. If a ' +
        "rule matches, or a file can't be searched, the result isn't verified. `remove` removes all attached files.",
    )
    .meta(inForm({ label: 'Attached files', choices: { keep: 'Keep', remove: 'Remove' } })),
  keepUnknown: z
    .boolean()
    .default(false)
    .describe(
      "If `false`, Sheaf drops data that the PDF standard doesn't define. Examples are unknown keys, private data of " +
        'programs, and pages that no reader shows. This data may repeat what was removed. The report counts it in ' +
        '`dropped`. If `true`, this data stays. The result is then not verified if the document has any.',
    )
    .meta(inForm({ label: 'Keep unknown data' })),
  requireVerified: z
    .boolean()
    .default(false)
    .describe(
      "Result if Sheaf can't verify a redaction completely. If `true`, the request returns 422 and costs nothing. " +
        'If `false`, the request returns the document with `X-Redaction-Verified: false`.',
    )
    .meta(inForm({ label: 'Fail if not verified' })),
  report: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, returns a ZIP with the document and a `report.json`. The report has the number of redactions, ' +
        'their positions and pages, and the names of their rules, such as `search[0]`. `hasTextOutside` marks pages ' +
        'with areas that have text outside the page as displayed. The report also has the SHA-256 of the document. ' +
        'It contains none of the removed text.',
    )
    .meta(inForm({ label: 'Add a report' })),
  hideWidths: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, the width of a box reveals less about the length of the removed word. Pages with areas or matches ' +
        'become images of 200 DPI. The width of a box is a multiple of a step. The step is 72 points, or more for text ' +
        'above 12 points. The words after a box move right. If the line gets too long, these words become narrower. ' +
        'Other text stays searchable, at positions rounded to pixels.',
    )
    .meta(inForm({ label: 'Hide the width of words' })),
  outputName: outputNameOption('report-redacted.pdf'),
}
