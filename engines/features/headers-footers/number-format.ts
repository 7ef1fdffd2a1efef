import { dateFormatProblem, formatDate } from '../../options/date-format'
import { NUMERAL_STYLES, writeNumeral } from '../../options/numerals'
import type { NumeralStyle } from '../../options/numerals'
import { findNearestName } from '../../options/nearest-name'
import { Template } from '../../pdf/typeset'
import type { KnownPlaceholders } from '../../pdf/typeset'

/** Format of a page number: a template and a numeral style. */
interface NumberFormat {
  template: string
  style?: NumeralStyle
}

/** The named formats. */
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

/** Returns why the part after the colon of `{page:roman}` is invalid. Undefined if it is valid. */
export function numeralProblem(detail: string): string | undefined {
  return NUMERAL_STYLES.some(style => style === detail) ? undefined : `use ${NUMERAL_STYLES.join(', ')}`
}

/** Placeholders in templates of page numbers. */
const NUMBER_PLACEHOLDERS: KnownPlaceholders = {
  page: numeralProblem,
  total: numeralProblem,
  date: dateFormatProblem,
  filename: null,
  prefix: null,
  suffix: null,
}

/** Returns why a format is invalid. Undefined if it is valid. */
export function numberFormatProblem(format: string): string | undefined {
  if (isNamed(format)) return undefined
  const template = Template.parse(format)
  const problem = format.includes('{') ? template.problem(NUMBER_PLACEHOLDERS) : undefined
  if (problem) return problem
  if (template.has('page')) return undefined
  const nearest = findNearestName(format, NAMES)
  return (
    `must be a known format or a template with {page}. Got ${JSON.stringify(format.slice(0, 60))}. ` +
    `${nearest ? `Did you mean "${nearest}"? ` : ''}Use ${NAMES.join(', ')}, or a template such as "{page} of ` +
    '{total}".'
  )
}

/** Returns why a style conflicts with a format. Undefined if they are compatible. */
export function numberStyleProblem(format: string, style: NumeralStyle | undefined): string | undefined {
  if (style === undefined || !isNamed(format)) return undefined
  const formatStyle = readNumberFormat(format).style
  return formatStyle === undefined || formatStyle === style
    ? undefined
    : `must be compatible with the format. Got "${style}", but format "${format}" has ${formatStyle} numerals.`
}

/** Returns the named format, or a format with this template. */
export function readNumberFormat(format: string): NumberFormat {
  return isNamed(format) ? NUMBER_FORMATS[format] : { template: format }
}

function isNamed(format: string): format is keyof typeof NUMBER_FORMATS {
  return Object.hasOwn(NUMBER_FORMATS, format)
}

/** Values of the placeholders on a page. */
interface NumberValues {
  number: number
  total: number
  style: NumeralStyle
  /** Minimum number of digits of decimal numbers. */
  digits: number
  texts: { now: Date; filename: string; prefix: string; suffix: string }
}

/** Returns the text of a page number. */
export function writeNumber(template: Template, { number, total, style, digits, texts }: NumberValues): string {
  return template.fill(({ name, detail }) => {
    if (name === 'date')
      return formatDate(texts.now, detail ?? 'YYYY-MM-DD', { kind: 'date', timezone: 'UTC', locale: 'en' })
    if (name === 'filename' || name === 'prefix' || name === 'suffix') return texts[name]
    const numeralStyle = NUMERAL_STYLES.find(candidate => candidate === detail) ?? style
    return writeNumeral(name === 'page' ? number : total, numeralStyle).padStart(
      numeralStyle === 'decimal' ? digits : 0,
      '0',
    )
  })
}
