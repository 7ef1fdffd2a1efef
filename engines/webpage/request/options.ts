import * as z from 'zod'
import { boundedText } from '../../options/bounded-text'
import { dateProblem, MAX_DATE_LENGTH } from '../../pdf/metadata'
import { LENGTH_PATTERN, MAX_LENGTH_TEXT, readLength, toPoints } from '../../options/lengths'
import { findPageSize, PAGE_SIZE_NAMES } from '../../options/page-sizes'
import type { PageSize } from '../../options/page-sizes'
import { conformanceOption, readConformance } from '../../options/conformance'
import { pagesOption } from '../../options/schemas'
import {
  authOption,
  cookiesOption,
  headersOption,
  localeOption,
  templateOption,
  timeZoneOption,
} from './request-options'
import { inForm } from '../../options/form-hints'

const LEAST_SIDE_PT = toPoints(10, 'mm')
const MOST_SIDE_PT = toPoints(200, 'in')
const MOST_MARGIN_PT = toPoints(100, 'in')
const USUAL_MARGIN_PT = toPoints(10, 'mm')
/** Minimum size of the content area of a page. */
const LEAST_CONTENT_PT = toPoints(5, 'mm')
const MOST_SECONDS = 60
/** Maximum value of `maxPages`. */
export const MAX_PRINTED_PAGES = 2000

const NAMED_SIZES = [...PAGE_SIZE_NAMES.filter(name => !/^(B\d|Executive)$/.test(name)), 'Ledger']

function length(least: number, most: number) {
  const number = z.number().meta({ minimum: least, maximum: most, ...inForm({ title: 'All sides' }) })
  return z
    .union([number, boundedText(MAX_LENGTH_TEXT).meta({ pattern: LENGTH_PATTERN })])
    .transform((value, context) => {
      const points = readLength(value)
      if (points !== undefined && points >= least && points <= most) return points
      const problem =
        points === undefined
          ? `must be a length. Got ${JSON.stringify(String(value).slice(0, 40))}`
          : `must be ${Math.round(least)} to ${Math.round(most)} points. Got ${value}`
      context.addIssue({ code: 'custom', message: `${problem}. Use points, or a number with mm, cm, in, px or pt.` })
      return z.NEVER
    })
}

const side = length(LEAST_SIDE_PT, MOST_SIDE_PT)
const margin = length(0, MOST_MARGIN_PT)

const namedSize = boundedText(40)
  .meta(inForm({ choices: Object.fromEntries(NAMED_SIZES.map(name => [name, name])) }))
  .transform((value, context): PageSize => {
    const requestedName = value.trim().toLowerCase()
    const [tabloid, isAllowed] = [
      findPageSize('Tabloid'),
      NAMED_SIZES.some(name => name.toLowerCase() === requestedName),
    ]
    const size =
      requestedName === 'ledger'
        ? tabloid && { width: tabloid.height, height: tabloid.width }
        : findPageSize(requestedName)
    if (size && isAllowed) return size
    context.addIssue({
      code: 'custom',
      message:
        `must be a page size. Got ${JSON.stringify(value.slice(0, 40))}. Use ${NAMED_SIZES.join(', ')} or ` +
        '{"width", "height"} with units.',
    })
    return z.NEVER
  })

const text = (most: number) =>
  boundedText(most).refine(
    value => !/\p{Cc}/u.test(value.replace(/[\t\n\r]/g, '')) && value.isWellFormed(),
    'must not contain control characters or unpaired surrogates. Use plain text.',
  )

const date = boundedText(MAX_DATE_LENGTH).superRefine((value, context) => {
  const problem = dateProblem(value)
  if (problem) context.addIssue({ code: 'custom', message: `${problem} ${JSON.stringify(value.slice(0, 60))}.` })
})

const seconds = (most: number, meaning: string) =>
  z
    .number()
    .superRefine((value, context) => {
      if (value >= 0 && value <= most) return
      const hint = value >= 100 ? ` Did you mean ${value / 1000}?` : ''
      context.addIssue({
        code: 'custom',
        message: `${meaning} must be 0 to ${most} seconds. Got ${value}.${hint}`,
      })
    })
    .meta({ minimum: 0, maximum: most })

/** Options of a page and its print, without the page itself. Lengths are converted to points. */
export const pageOptions = z.object({
  pageSize: z
    .union([
      namedSize,
      z
        .strictObject({
          width: side.describe('Paper width in points, or a string with a unit, such as `210mm`.'),
          height: side.describe('Paper height in points, or a string with a unit, such as `297mm`.'),
        })
        .meta(inForm({ title: 'Custom size' })),
    ])
    .prefault('A4')
    .describe(
      `Paper size: ${NAMED_SIZES.join(', ')} (in upper or lower case), or \`{width, height}\`. Each side must be 10 ` +
        'mm to 200 in.',
    ),
  landscape: z.boolean().default(false).describe('If `true`, prints in landscape orientation.'),
  margin: z
    .union([
      margin,
      z
        .strictObject({
          top: margin.optional().describe('Top margin, in the same format.'),
          right: margin.optional().describe('Right margin, in the same format.'),
          bottom: margin.optional().describe('Bottom margin, in the same format.'),
          left: margin.optional().describe('Left margin, in the same format.'),
        })
        .meta(inForm({ title: 'Each side' })),
    ])
    .optional()
    .describe(
      'Page margins: one length, or `{top, right, bottom, left}`. A length is a number of points, or a string ' +
        'with a unit, such as `15mm`. Default: 10 mm, or 15 mm on a side with a header or footer.',
    ),
  scale: z.number().min(0.1).max(2).default(1).describe('Scale of the content. 0.5 is half the size.'),
  printBackground: z
    .boolean()
    .default(true)
    .describe('If `true`, prints backgrounds.')
    .meta(inForm({ label: 'Print backgrounds' })),
  preferCssPageSize: z
    .boolean()
    .default(false)
    .describe("If `true`, an `@page` size in the page's CSS overrides `pageSize`.")
    .meta(inForm({ label: 'Prefer the page size in CSS' })),
  singlePage: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, prints everything on one page as tall as the content. Content taller than 200 inches continues ' +
        'on more pages of that height.',
    )
    .meta(inForm({ label: 'One long page' })),
  omitBackground: z
    .boolean()
    .default(false)
    .describe('If `true`, omits the white background of the page.')
    .meta(inForm({ label: 'Transparent background' })),
  pages: pagesOption('Pages of the PDF to keep. Default: all.').optional(),
  maxPages: z
    .number()
    .int()
    .min(1)
    .max(MAX_PRINTED_PAGES)
    .default(500)
    .describe('Maximum number of pages to print. Sheaf omits further pages, with the warning `pages-cut`.')
    .meta(inForm({ label: 'Maximum number of pages' })),
  headerTemplate: templateOption('HTML at the top of every page').meta(inForm({ label: 'Header HTML' })),
  footerTemplate: templateOption('HTML at the bottom of every page').meta(inForm({ label: 'Footer HTML' })),
  waitDelay: seconds(30, 'waitDelay')
    .default(0)
    .describe('Seconds to wait after the page has finished loading, before Sheaf prints it. Decimals are allowed.')
    .meta(inForm({ label: 'Extra wait in seconds' })),
  waitUntil: z
    .enum(['settled', 'load', 'domContentLoaded', 'networkIdle'])
    .default('settled')
    .describe(
      'When the page is ready. `domContentLoaded` and `load`: the browser event of that name. `settled`: the ' +
        'page, its fonts and its images are loaded. Two frames were rendered, and there was no network request for ' +
        "50 ms. `networkIdle`: the same, but no network request for 500 ms. If the page isn't ready after half of " +
        '`timeout`, Sheaf prints its current state, with the warning `resources-failed`.',
    )
    .meta(
      inForm({
        label: 'Ready when',
        choices: {
          settled: 'Everything is loaded',
          load: 'The load event fires',
          domContentLoaded: 'The DOMContentLoaded event fires',
          networkIdle: 'The network is idle',
        },
      }),
    ),
  waitForSelector: boundedText(500)
    .min(1)
    .optional()
    .describe('CSS selector of an element that must exist before Sheaf prints the page.')
    .meta(inForm({ label: 'Wait for an element' })),
  waitForExpression: boundedText(2000)
    .min(1)
    .optional()
    .describe(
      'JavaScript expression that must become true before Sheaf prints the page, such as `window.ready === true`.',
    )
    .meta(inForm({ label: 'Wait for an expression', appliesIf: [{ javascript: [true] }] })),
  waitForTimeout: z
    .number()
    .min(0.1)
    .max(MOST_SECONDS)
    .default(10)
    .describe(
      'Maximum seconds to wait for `waitForSelector`. The wait for `waitForExpression` has the same maximum. If a ' +
        'wait takes longer, the request returns `conversion_failed`.',
    )
    .meta(
      inForm({
        label: 'Longest wait in seconds',
        appliesIf: [{ waitForSelector: 'set' }, { waitForExpression: 'set' }],
      }),
    ),
  timeout: z
    .number()
    .min(1)
    .max(MOST_SECONDS)
    .optional()
    .describe('Maximum seconds for the whole conversion. Default: 30 plus `waitDelay`, at most 60.')
    .meta(inForm({ label: 'Timeout in seconds' })),
  scrollPage: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, scrolls to the end of the page first. Use it for content that loads when you scroll. It needs ' +
        '`javascript`, and `waitUntil` set to `settled` or `networkIdle`.',
    )
    .meta(
      inForm({
        label: 'Scroll to the end first',
        appliesIf: [{ javascript: [true], waitUntil: ['settled', 'networkIdle'] }],
      }),
    ),
  mediaType: z
    .enum(['print', 'screen'])
    .default('print')
    .describe('CSS media type for printing.')
    .meta(inForm({ label: 'CSS media type' })),
  colorScheme: z
    .enum(['light', 'dark'])
    .optional()
    .describe('Color scheme that the page sees as the preference of the user.'),
  viewportWidth: z
    .number()
    .int()
    .min(320)
    .max(3840)
    .default(1280)
    .describe('Width of the browser window in CSS pixels.'),
  deviceScaleFactor: z
    .number()
    .min(0.5)
    .max(4)
    .default(1)
    .describe('Device pixel ratio. Some pages use it to select images.')
    .meta(inForm({ label: 'Device pixel ratio' })),
  javascript: z
    .boolean()
    .default(true)
    .describe('If `true`, runs the scripts of the page.')
    .meta(inForm({ label: 'Run scripts' })),
  locale: localeOption.meta(inForm({ label: 'Language' })),
  timezone: timeZoneOption.meta(inForm({ label: 'Time zone' })),
  cookies: cookiesOption,
  extraHeaders: headersOption.meta(inForm({ label: 'Request headers', appliesIf: [{ html: 'unset' }] })),
  userAgent: boundedText(300)
    .min(1)
    .regex(/^[\x20-\x7e]+$/, 'must have printable ASCII characters only.')
    .optional()
    .describe('`User-Agent` header for the page.'),
  httpAuth: authOption.meta(inForm({ label: 'HTTP authentication', appliesIf: [{ html: 'unset' }] })),
  failOnHttpStatusCodes: z
    .array(
      z.union([
        z
          .number()
          .int()
          .min(100)
          .max(599)
          .meta(inForm({ title: 'Status code' })),
        z.enum(['4xx', '5xx']).meta(inForm({ choices: { '4xx': 'All 4xx', '5xx': 'All 5xx' } })),
      ]),
    )
    .max(100)
    .default(['4xx', '5xx'])
    .describe(
      'If the page returns one of these status codes, the request returns `conversion_failed`. `4xx` and `5xx` stand ' +
        'for all codes of a class. With an empty array, Sheaf prints the page with any status code.',
    )
    .meta(inForm({ label: 'Fail on status codes' })),
  failOnResourceError: z
    .boolean()
    .default(false)
    .describe(
      "What to do if an image, style sheet, script or font of the page can't be loaded. If `true`, the request returns " +
        '`conversion_failed`. If `false`, Sheaf prints the page without it, with the warning `resources-failed`.',
    )
    .meta(inForm({ label: 'Fail on missing resources' })),
  tagged: z
    .boolean()
    .default(true)
    .describe('If `true`, adds tags for screen readers to the PDF.')
    .meta(inForm({ label: 'Add tags' })),
  outline: z
    .boolean()
    .default(true)
    .describe('If `true`, headings of the page become bookmarks.')
    .meta(inForm({ label: 'Add bookmarks' })),
  conformance: conformanceOption(
    'Standards that the PDF must conform to: `pdfa-3b` for archives, `pdfua-1` for accessibility, or an array with ' +
      'both. For `pdfua-1`, the page needs a title, a `lang` on its `html` element, and an `alt` on each image. If a ' +
      "page can't conform, the request returns an error with each problem.",
  ),
  metadata: z
    .strictObject({
      title: text(2000).optional().describe('Title. Default: the title of the page.'),
      author: text(2000).optional().describe('Author.'),
      subject: text(2000).optional().describe('Subject.'),
      keywords: z
        .union([text(2000), z.array(text(200).min(1)).max(200)])
        .optional()
        .describe('Keywords, separated by commas, or as an array.'),
      creator: text(2000).optional().describe('Program that created the original document.'),
      creationDate: date
        .optional()
        .describe('Creation date in ISO 8601. Default: no date, so that the same page returns the same file.'),
      modDate: date
        .optional()
        .describe('Date of the last change, in ISO 8601.')
        .meta(inForm({ label: 'Modification date' })),
    })
    .optional()
    .describe('Document properties of the PDF.'),
  outputName: boundedText(120)
    .min(1)
    .optional()
    .describe(
      "File name of the response. The extension is added if it's missing. Default: the host of the URL, or " +
        'the name of the file.',
    )
    .meta(inForm({ label: 'File name' })),
  hideSelectors: z
    .array(boundedText(500).min(1))
    .max(50)
    .default([])
    .describe('CSS selectors of elements to hide.')
    .meta(inForm({ label: 'Elements to hide' })),
  blockCookieBanners: z
    .boolean()
    .default(false)
    .describe('If `true`, hides known cookie consent banners.')
    .meta(inForm({ label: 'Hide cookie banners' })),
})

export type PageOptions = z.output<typeof pageOptions>

/** Margins on all sides, in points. */
export interface Margins {
  top: number
  right: number
  bottom: number
  left: number
}

/** Returns the paper size in points, with the orientation applied. */
export function measurePaper({ pageSize, landscape }: Pick<PageOptions, 'pageSize' | 'landscape'>): PageSize {
  return landscape ? { width: pageSize.height, height: pageSize.width } : pageSize
}

/** Returns the margins. The default is 10 mm, or 15 mm on a side with a header or footer. */
export function resolveMargins({
  margin,
  headerTemplate,
  footerTemplate,
}: Pick<PageOptions, 'margin' | 'headerTemplate' | 'footerTemplate'>): Margins {
  const defaultMargin = (template?: string) => (template === undefined ? USUAL_MARGIN_PT : toPoints(15, 'mm'))
  if (typeof margin === 'number') return { top: margin, right: margin, bottom: margin, left: margin }
  return {
    top: defaultMargin(headerTemplate),
    right: USUAL_MARGIN_PT,
    bottom: defaultMargin(footerTemplate),
    left: USUAL_MARGIN_PT,
    ...dropUndefined(margin ?? {}),
  }
}

/** Returns the total timeout of a page, in seconds. */
export function resolveTimeout({ timeout, waitDelay }: Pick<PageOptions, 'timeout' | 'waitDelay'>): number {
  return timeout ?? Math.min(MOST_SECONDS, 30 + waitDelay)
}

/** Returns problems of options that are valid individually, each with its parameter. */
export function findOptionProblems(options: PageOptions): { param: string; message: string }[] {
  const { timeout, waitDelay } = options
  const paper = measurePaper(options)
  const { top, right, bottom, left } = resolveMargins(options)
  const isFull = left + right + LEAST_CONTENT_PT > paper.width || top + bottom + LEAST_CONTENT_PT > paper.height
  return [
    ...(!options.tagged && readConformance(options.conformance)?.includes('pdfua-1')
      ? [{ param: 'tagged', message: 'must be true if conformance has pdfua-1. Got false.' }]
      : []),
    ...(timeout !== undefined && waitDelay >= timeout
      ? [
          {
            param: 'waitDelay',
            message:
              `must be less than timeout. Got ${waitDelay} seconds with a timeout of ${timeout} seconds. Use a ` +
              'longer timeout or a shorter delay.',
          },
        ]
      : []),
    ...(isFull
      ? [
          {
            param: 'margin',
            message:
              `must leave room for content on a page of ${Math.round(paper.width)} by ` +
              `${Math.round(paper.height)} points. Use smaller margins.`,
          },
        ]
      : []),
  ]
}

function dropUndefined<T extends object>(value: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [Key in keyof T]?: NonNullable<T[Key]>
  } // Undefined values have been removed.
}
