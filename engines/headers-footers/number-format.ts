import { dateFormatProblem, formatDate } from '../options/date-format'
import { NUMERAL_STYLES, writeNumeral } from '../options/numerals'
import type { NumeralStyle } from '../options/numerals'
import { findNearestName } from '../options/nearest-name'
import { Template } from '../text/template'
import type { KnownPlaceholders } from '../text/template'

/** How a page's number is written: a template, and the numerals in it. */
interface NumberFormat {
  template: string
  style?: NumeralStyle
}

/** The formats that have a name. */
export const NUMBER_FORMATS = {
  'page-of-total': { template: 'Page {page} of {total}' },
  page: { template: '{page}' },
  'page-label': { template: 'Page {page}' },
  slash: { template: '{page}/{total}' },
  dash: { template: '- {page} -' },
  roman: { template: '{page}', style: 'roman' },
  ROMAN: { template: '{page}', style: 'ROMAN' },
  alpha: { template: '{page}', style: 'alpha' },
  ALPHA: { template: '{page}', style: 'ALPHA' },
  bates: { template: '{prefix}{page}{suffix}', style: 'decimal' },
} as const satisfies Record<string, NumberFormat>

const NAMES = Object.keys(NUMBER_FORMATS)

/** What is wrong with the part behind the colon of `{page:roman}`, or undefined. */
export function numeralProblem(detail: string): string | undefined {
  return NUMERAL_STYLES.some(style => style === detail) ? undefined : `use ${NUMERAL_STYLES.join(', ')}`
}

/** What the templates of page numbers may hold. */
const NUMBER_PLACEHOLDERS: KnownPlaceholders = {
  page: numeralProblem,
  total: numeralProblem,
  date: dateFormatProblem,
  filename: null,
  prefix: null,
  suffix: null,
}

/** What is wrong with a format, or undefined. */
export function numberFormatProblem(format: string): string | undefined {
  if (isNamed(format)) return undefined
  const template = Template.parse(format)
  const problem = format.includes('{') ? template.problem(NUMBER_PLACEHOLDERS) : undefined
  if (problem) return problem
  if (template.has('page')) return undefined
  const nearest = findNearestName(format, NAMES)
  return (
    `${JSON.stringify(format.slice(0, 60))} is no format${nearest ? `; did you mean "${nearest}"?` : ''}; use ` +
    `${NAMES.join(', ')}, or a template that holds {page}, such as "{page} of {total}"`
  )
}

/** What is wrong with a style beside a format; undefined when they go together. */
export function numberStyleProblem(format: string, style: NumeralStyle | undefined): string | undefined {
  if (style === undefined || !isNamed(format)) return undefined
  const own = readNumberFormat(format).style
  return own === undefined || own === style
    ? undefined
    : `"${style}" does not go with format "${format}", which is written in ${own} numerals`
}

/** The format behind a name, or the template itself. */
export function readNumberFormat(format: string): NumberFormat {
  return isNamed(format) ? NUMBER_FORMATS[format] : { template: format }
}

function isNamed(format: string): format is keyof typeof NUMBER_FORMATS {
  return Object.hasOwn(NUMBER_FORMATS, format)
}

/** What stands for the placeholders of a page, and how numbers are padded. */
interface NumberValues {
  number: number
  total: number
  style: NumeralStyle
  /** Digits that decimals have at least. */
  digits: number
  texts: { now: Date; filename: string; prefix: string; suffix: string }
}

/** The text of a page's number. */
export function writeNumber(template: Template, { number, total, style, digits, texts }: NumberValues): string {
  return template.fill(({ name, detail }) => {
    if (name === 'date')
      return formatDate(texts.now, detail ?? 'YYYY-MM-DD', { kind: 'date', timezone: 'UTC', locale: 'en' })
    if (name === 'filename' || name === 'prefix' || name === 'suffix') return texts[name]
    const own = NUMERAL_STYLES.find(one => one === detail) ?? style
    return writeNumeral(name === 'page' ? number : total, own).padStart(own === 'decimal' ? digits : 0, '0')
  })
}
