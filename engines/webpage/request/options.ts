import { z } from 'zod'
import { dateProblem } from '../../pdf-core/metadata/dates'
import { LENGTH_PATTERN, readLength, toPoints } from '../../options/lengths'
import { findPageSize, PAGE_SIZE_NAMES } from '../../options/page-sizes'
import type { PageSize } from '../../options/page-sizes'
import { pagesOption } from '../../options/schemas'
import {
  authOption,
  cookiesOption,
  headersOption,
  localeOption,
  templateOption,
  timeZoneOption,
} from './request-options'

const LEAST_SIDE_PT = toPoints(10, 'mm')
const MOST_SIDE_PT = toPoints(200, 'in')
const MOST_MARGIN_PT = toPoints(100, 'in')
const USUAL_MARGIN_PT = toPoints(10, 'mm')
/** Minimum size of the content area of a page. */
const LEAST_CONTENT_PT = toPoints(5, 'mm')
const MOST_SECONDS = 60

const NAMED_SIZES = [...PAGE_SIZE_NAMES.filter(name => !/^(B\d|Executive)$/.test(name)), 'Ledger']

function length(least: number, most: number) {
  const number = z.number().meta({ minimum: least, maximum: most })
  return z.union([number, z.string().meta({ pattern: LENGTH_PATTERN })]).transform((value, context) => {
    const points = readLength(value)
    if (points !== undefined && points >= least && points <= most) return points
    const problem =
      points === undefined
        ? `${JSON.stringify(String(value).slice(0, 40))} is no length`
        : `${value} is outside ${Math.round(least)} to ${Math.round(most)} points`
    context.addIssue({ code: 'custom', message: `${problem}; write points, or a number with mm, cm, in, px or pt` })
    return z.NEVER
  })
}

const side = length(LEAST_SIDE_PT, MOST_SIDE_PT)
const margin = length(0, MOST_MARGIN_PT)

const namedSize = z.string().transform((value, context): PageSize => {
  const requestedName = value.trim().toLowerCase()
  const [tabloid, isAllowed] = [findPageSize('Tabloid'), NAMED_SIZES.some(name => name.toLowerCase() === requestedName)]
  const size =
    requestedName === 'ledger'
      ? tabloid && { width: tabloid.height, height: tabloid.width }
      : findPageSize(requestedName)
  if (size && isAllowed) return size
  context.addIssue({
    code: 'custom',
    message:
      `${JSON.stringify(value.slice(0, 40))} is no page size; use ${NAMED_SIZES.join(', ')} or {"width", "height"} ` +
      'with units',
  })
  return z.NEVER
})

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine(
      value => !/\p{Cc}/u.test(value.replace(/[\t\n\r]/g, '')) && value.isWellFormed(),
      'holds a control character or half of a character; use plain text',
    )

const date = z.string().superRefine((value, context) => {
  const problem = dateProblem(value)
  if (problem) context.addIssue({ code: 'custom', message: `${JSON.stringify(value.slice(0, 60))} ${problem}` })
})

const seconds = (most: number, meaning: string) =>
  z
    .number()
    .superRefine((value, context) => {
      if (value >= 0 && value <= most) return
      const hint = value >= 100 ? `; did you mean ${value / 1000}?` : ''
      context.addIssue({
        code: 'custom',
        message: `${meaning} is in seconds, from 0 to ${most}; ${value} is outside of that${hint}`,
      })
    })
    .meta({ minimum: 0, maximum: most })

/** Options of a page and its print, without the page itself. Lengths are converted to points. */
export const pageOptions = z.object({
  pageSize: z
    .union([
      namedSize,
      z.strictObject({ width: side.describe('Width of the paper.'), height: side.describe('Height of the paper.') }),
    ])
    .prefault('A4')
    .describe(
      `Size of the paper: ${NAMED_SIZES.join(', ')} in upper or lower case, or \`{width, height}\` with units, ` +
        'each from 10 mm to 200 in.',
    ),
  landscape: z.boolean().default(false).describe('Whether the paper lies on its side.'),
  margin: z
    .union([
      margin,
      z.strictObject({
        top: margin.optional().describe('At the top.'),
        right: margin.optional().describe('On the right.'),
        bottom: margin.optional().describe('At the bottom.'),
        left: margin.optional().describe('On the left.'),
      }),
    ])
    .optional()
    .describe(
      'White space around the content: one length, or `{top, right, bottom, left}`. A number is points, a text has ' +
        'its unit, such as `15mm`. Default: 10 mm; 15 mm where a header or a footer stands.',
    ),
  scale: z.number().min(0.1).max(2).default(1).describe('Size of the content: 0.5 is half as large.'),
  printBackground: z.boolean().default(true).describe('Whether backgrounds are printed.'),
  preferCssPageSize: z
    .boolean()
    .default(false)
    .describe('Whether a size that the page gives in `@page` counts more than `pageSize`.'),
  singlePage: z
    .boolean()
    .default(false)
    .describe(
      'Prints everything on one page as tall as the content. What is taller than 200 in goes on to further pages ' +
        'of that height.',
    ),
  omitBackground: z.boolean().default(false).describe('Whether the white behind the page is left out.'),
  pages: pagesOption('Pages of the print to keep. Default: all.').optional(),
  maxPages: z
    .number()
    .int()
    .min(1)
    .max(2000)
    .default(500)
    .describe('Pages that are printed at most; what comes after is left out with the warning `pages-cut`.'),
  headerTemplate: templateOption('HTML at the top of every page'),
  footerTemplate: templateOption('HTML at the bottom of every page'),
  waitDelay: seconds(30, 'waitDelay')
    .default(0)
    .describe(
      'Seconds to wait after the page has come to rest and before it is printed, 0 to 30; fractions are allowed.',
    ),
  waitUntil: z
    .enum(['settled', 'load', 'domContentLoaded', 'networkIdle'])
    .default('settled')
    .describe(
      'When the page counts as ready. `settled`: it is loaded, nothing was asked of the network for 50 ms, fonts ' +
        'and pictures are there, and two frames were drawn. `networkIdle`: nothing for 500 ms.',
    ),
  waitForSelector: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('CSS selector of an element that has to be there before the page is printed.'),
  waitForExpression: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe(
      'JavaScript expression that has to become true before the page is printed, such as `window.ready === true`.',
    ),
  waitForTimeout: z
    .number()
    .min(0.1)
    .max(MOST_SECONDS)
    .default(10)
    .describe(
      'Seconds that `waitForSelector` and `waitForExpression` may take; when they do not come true, the call fails.',
    ),
  timeout: z
    .number()
    .min(1)
    .max(MOST_SECONDS)
    .optional()
    .describe('Seconds that everything together may take. Default: 30, and `waitDelay` on top of that, at most 60.'),
  scrollPage: z
    .boolean()
    .default(false)
    .describe('Whether the page is scrolled to its end first, for content that appears only then.'),
  mediaType: z.enum(['print', 'screen']).default('print').describe('The CSS media type that is printed.'),
  colorScheme: z.enum(['light', 'dark']).optional().describe('The color scheme that the page is told is preferred.'),
  viewportWidth: z
    .number()
    .int()
    .min(320)
    .max(3840)
    .default(1280)
    .describe('Width of the window that the page is loaded in, in CSS pixels.'),
  deviceScaleFactor: z
    .number()
    .min(0.5)
    .max(4)
    .default(1)
    .describe('Device pixels of a CSS pixel, for pages that choose pictures by it.'),
  javascript: z.boolean().default(true).describe('Whether the scripts of the page run.'),
  locale: localeOption,
  timezone: timeZoneOption,
  cookies: cookiesOption,
  extraHeaders: headersOption,
  userAgent: z
    .string()
    .min(1)
    .max(300)
    .regex(/^[\x20-\x7e]+$/, 'holds a character that is not printable ASCII')
    .optional()
    .describe('The User-Agent that the page sees.'),
  httpAuth: authOption,
  failOnHttpStatusCodes: z
    .array(z.union([z.number().int().min(100).max(599), z.enum(['4xx', '5xx'])]))
    .max(100)
    .default(['4xx', '5xx'])
    .describe(
      'Status codes of the page itself at which the call fails, `4xx` and `5xx` for all of a kind. An empty array ' +
        'prints whatever is answered.',
    ),
  failOnResourceError: z
    .boolean()
    .default(false)
    .describe(
      "Whether the call fails when a picture, style, script or font of the page can't be loaded. Otherwise the " +
        'answer has the warning `resources-failed`.',
    ),
  tagged: z.boolean().default(true).describe('Whether the PDF has tags for screen readers.'),
  outline: z.boolean().default(true).describe('Whether the headings of the page become bookmarks.'),
  metadata: z
    .strictObject({
      title: text(2000).optional().describe('Title. Default: that of the page.'),
      author: text(2000).optional().describe('Author.'),
      subject: text(2000).optional().describe('Subject.'),
      keywords: z
        .union([text(2000), z.array(text(200).min(1)).max(200)])
        .optional()
        .describe('Keywords, separated by commas, or an array of them.'),
      creator: text(2000).optional().describe('Program that the document was written with.'),
      creationDate: date
        .optional()
        .describe(
          'When the document was made, in ISO 8601. Default: no date, so that the same page gives the same file.',
        ),
      modDate: date.optional().describe('When it was changed last, in ISO 8601.'),
    })
    .optional()
    .describe('Properties of the PDF.'),
  outputName: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe(
      'File name of the answer; the extension is added when it is missing. Default: the host of the address, or ' +
        'the name of the file.',
    ),
  hideSelectors: z
    .array(z.string().min(1).max(500))
    .max(50)
    .default([])
    .describe('CSS selectors of elements that are not printed.'),
  blockCookieBanners: z
    .boolean()
    .default(false)
    .describe('Whether banners that ask for consent to cookies are hidden, as far as they are known.'),
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
    ...(timeout !== undefined && waitDelay >= timeout
      ? [
          {
            param: 'waitDelay',
            message: `${waitDelay} s leave nothing of a timeout of ${timeout} s; use a longer timeout or a shorter delay`,
          },
        ]
      : []),
    ...(isFull
      ? [
          {
            param: 'margin',
            message:
              `leaves no room on a page of ${Math.round(paper.width)} by ${Math.round(paper.height)} points; use ` +
              'smaller margins',
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
