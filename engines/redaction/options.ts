import { z } from 'zod'
import { alternatives } from '../options/alternatives'
import { readHexColor } from '../options/colors'
import { colorOption, drawnTextOption, outputNameOption, pagesOption } from '../options/schemas'
import { PRESETS } from './rules/presets'
import { regexProblem } from './rules/rules'

const MOST_AREAS = 5000
const MOST_RULES = 100
const MOST_REGEX = 1000
const FAR = 1_000_000

const place = (meaning: string) => z.number().min(-FAR).max(FAR).describe(meaning)
const extent = (meaning: string) => z.number().gt(0).max(FAR).describe(meaning)

/** Text that is drawn in the box over the removed content. */
const replacementText = drawnTextOption(
  'Written inside of the box, as large as fits unless `fontSize` says otherwise; none by default.',
  { max: 500, hasLines: true },
).optional()

const area = z
  .strictObject({
    page: z
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('The page, by its number from 1. Either this or `pages`.'),
    pages: pagesOption('In place of `page`: the same area on several pages.').optional(),
    x: place('Left edge of the area, from `origin`.'),
    y: place('Lower edge of the area, from `origin`; its upper edge, counted downwards, with `top-left`.'),
    width: extent('Width of the area; more than 0.'),
    height: extent('Height of the area; more than 0.'),
    unit: z
      .enum(['pt', 'mm', 'cm', 'in', 'px', '%'])
      .default('pt')
      .describe(
        'What the four numbers are counted in: points, millimeters, centimeters, inches, pixels of 1/96 inch, or ' +
          'percent of the page as seen.',
      ),
    origin: z
      .enum(['bottom-left', 'top-left', 'user-space'])
      .default('bottom-left')
      .describe(
        'Where coordinates begin: the lower-left or the upper-left corner of the page as it is seen, rotation and ' +
          "CropBox taken into account; or PDF's own space, counted in its units.",
      ),
    replacementText,
  })
  .superRefine(({ page, pages, unit, origin }, context) => {
    if (page === undefined && pages === undefined)
      context.addIssue({
        code: 'custom',
        path: ['page'],
        message: 'is missing; give the number of a page, or several in `pages`',
      })
    if (page !== undefined && pages !== undefined)
      context.addIssue({ code: 'custom', path: ['pages'], message: 'does not go with page; give one of them' })
    if (unit === '%' && origin === 'user-space')
      context.addIssue({
        code: 'custom',
        path: ['unit'],
        message: '"%" does not go with origin "user-space"; percentages are of the page as seen',
      })
  })
  .meta(alternatives({ required: ['page'], without: ['pages'] }, { required: ['pages'], without: ['page'] }))

const textColor = z
  .string()
  .transform((value, context) => {
    if (value === 'auto') return undefined
    const color = readHexColor(value)
    if (!color)
      context.addIssue({ code: 'custom', message: `"${value.slice(0, 40)}" is no color; write auto, #RRGGBB or #RGB` })
    return color ?? z.NEVER
  })
  .prefault('auto')
  .describe(
    'Color of replacement texts, `#RRGGBB` or `#RGB`; `auto` is black or white, whichever is read better on `color`.',
  )

const rule = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe(
        'Text to find, as a reader sees it, at most 500 characters. It also matches if it continues on the next ' +
          'line, column or page, or after a hyphen at a line end. Ligatures, full-width and other compatibility ' +
          'forms match plain letters (Unicode NFKC). All apostrophes match one another, as do all quotes, all ' +
          'hyphens and dashes, and all spaces. Composed and decomposed accents are the same. A letter without an ' +
          "accent doesn't match one with an accent. The exception is an accent that the file draws as a separate " +
          'character: it may match or be left out. Capital and small letters match unless `caseSensitive` is `true`: ' +
          '`ß` matches `SS`, and the Turkish `İ` and `ı` match `i`.',
      ),
    regex: z
      .string()
      .min(1)
      .max(MOST_REGEX)
      .optional()
      .describe(
        `Regular expression in RE2 syntax, at most ${MOST_REGEX.toLocaleString('en')} characters. Look-around and ` +
          `back-references aren't available. The expression runs on the text of a page as one line in Unicode NFKC ` +
          'form, without invisible characters. Every run of spaces and line ends is one space. Apostrophes, quotes ' +
          `and dashes are read twice: as the ASCII characters ' " - and as they stand. Hyphens at line ends are read ` +
          'as dividing a word and as part of it. Matches may continue on the next page.',
      ),
    preset: z
      .enum(PRESETS)
      .optional()
      .describe(
        'Kind of data to find. `iban` and `credit-card` check their check digits, in any grouping. `phone` finds ' +
          'international numbers and the usual national forms of more than 20 countries. `ssn` finds US Social ' +
          'Security numbers, also as nine bare digits if such a number can exist and no label, such as "order", ' +
          'stands before it. `email` also finds `[at]`, `(at)` and `[dot]`. `date` finds figures, ISO dates with a ' +
          'time, and months in ten languages. `url` continues on the next line if the break is inside the URL. ' +
          '`vat-id` covers the EU, the UK, Switzerland and Norway. `zip` is a US ZIP code: five digits, or nine with ' +
          'a hyphen.',
      ),
    pages: pagesOption(
      'Pages that are searched; with it, bookmarks and properties of the document are not.',
    ).optional(),
    caseSensitive: z
      .boolean()
      .default(false)
      .describe('If `true`, `text` and `regex` match capital and small letters only as written.'),
    wholeWord: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, a match must begin and end at a word boundary: no letter, digit, accent or underscore next to ' +
          'it. Hyphens and apostrophes are boundaries, so `Ann` matches in `Mary-Ann`. Chinese, Japanese, Thai, Lao, ' +
          'Khmer and Burmese words are told apart by Unicode rules and dictionaries.',
      ),
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
            ? 'is missing; give one of text, regex and preset'
            : 'goes with neither regex nor preset; give one of them',
      })
    if (text?.trim() === '')
      context.addIssue({
        code: 'custom',
        path: ['text'],
        message: 'holds nothing but spaces; write what is to be found',
      })
    const problem = regex === undefined ? undefined : regexProblem(regex)
    if (problem) context.addIssue({ code: 'custom', path: ['regex'], message: problem })
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
      `Areas of pages, at most ${MOST_AREAS.toLocaleString('en')}: what lies under them is removed, and a box is ` +
        'drawn there. An area that does not touch its page as seen is refused. Bookmarks and properties of the ' +
        'document stay.',
    ),
  search: z
    .array(rule)
    .min(1)
    .max(MOST_RULES)
    .optional()
    .describe(
      'What is to be found and removed wherever it stands: in the text of pages, values of form fields, ' +
        `annotations, links, bookmarks, properties and XMP; at most ${MOST_RULES} rules. Text in pictures is found ` +
        `with \`ocr\`.`,
    ),
  ocr: z
    .boolean()
    .default(false)
    .describe(
      'Whether rules of `search` also find words in pictures: pages are drawn and recognized as pdf-ocr does it, ' +
        'at most 200 of those that rules are for. A word of which a part matches goes as a whole, pixel by pixel, ' +
        'and the lines it stood in are read again afterwards. Words may be misread all the same: a scan that is read ' +
        'with little confidence gives the warning `ocr-low-confidence`.',
    ),
  languages: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(5)
    .optional()
    .describe(
      'With `ocr`: languages of the words in pictures, the most important first, as three-letter codes such as ' +
        '`eng` or `deu`, 1 to 5; `["eng"]` when omitted. A code that is not installed is refused with a list of ' +
        'those that are.',
    ),
  onNoMatch: z
    .enum(['ok', 'error'])
    .default('ok')
    .describe(
      'When a rule of `search` matches nothing: answer with the warning `redaction-no-match`, or refuse the call.',
    ),
  color: colorOption('Color of the boxes.', '#000000'),
  textColor,
  fontSize: z
    .number()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Points of replacement texts; less where a text would not fit its box. When omitted: as large as fits, at ' +
        'most 24.',
    ),
  repeatText: z
    .boolean()
    .default(false)
    .describe(
      'Whether a replacement text is written again and again until it fills its box, in type of `fontSize` or 8 ' +
        'points where that fits.',
    ),
  padding: z.number().min(0).max(100).default(0.5).describe('Points by which every area is made larger on each side.'),
  images: z
    .enum(['overlap', 'remove', 'all'])
    .default('overlap')
    .describe(
      'What of pictures goes: `overlap` their pixels under an area, `remove` every picture that an area touches as ' +
        'a whole, `all` every picture of the document, also without areas or rules; paper stays where they were.',
    ),
  rasterize: z
    .union([z.literal(false), z.enum(['pages', 'all'])])
    .default(false)
    .describe(
      'Turn pages into pictures of 200 dpi in any case: `pages` those with areas, `all` every one. Their other ' +
        'text stays, unseen, to be found and selected. With false only pages on which something could not be taken ' +
        'out otherwise become pictures (warning `page-rasterized`).',
    ),
  attachments: z
    .enum(['keep', 'remove'])
    .default('keep')
    .describe(
      'Attached files are never looked into: `keep` leaves them in the document (warning ' +
        '`attachments-not-searched`), `remove` takes all of them out.',
    ),
  requireVerified: z
    .boolean()
    .default(false)
    .describe(
      "If `true`, a redaction that can't be verified completely returns 422 and is not charged. If `false`, it " +
        'returns the document with `X-Redaction-Verified: false`.',
    ),
  report: z
    .boolean()
    .default(false)
    .describe(
      'Answer a ZIP with the document and a `report.json`: how many redactions, by which rule, where, on which ' +
        'pages, and the SHA-256 of the document, but nothing of the text.',
    ),
  hideWidths: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, the width of a box no longer tells how long the removed word was. Pages with areas become images ' +
        'of 200 DPI. Boxes are as wide as a multiple of 72 points, or of more in type over 12 points. The words ' +
        'behind a box move right, and become narrower if the line would get too long. Other text stays searchable, ' +
        'at positions rounded to pixels.',
    ),
  outputName: outputNameOption,
}
