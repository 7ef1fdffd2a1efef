import { dateFormatProblem, formatDate } from '../../options/date-format'
import type { DateSetting } from '../../options/date-format'
import type { PdfDocument } from '../../pdf/document'
import { readMetadata } from '../../pdf/metadata'
import type { KnownPlaceholders, Placeholder } from '../../pdf/typeset'
import { NUMERAL_STYLES, writeNumeral } from '../../options/numerals'
import { numeralProblem } from './number-format'

/** Maximum length of a text from the metadata. */
const MOST_OF_DOCUMENT = 200

const FROM_METADATA = ['title', 'author', 'subject'] as const

/** Placeholders in headers and footers. */
export const PLACEHOLDERS: KnownPlaceholders = {
  page: numeralProblem,
  total: numeralProblem,
  date: dateFormatProblem,
  time: dateFormatProblem,
  title: null,
  author: null,
  subject: null,
  filename: null,
}

interface Source extends DateSetting {
  document: PdfDocument
  fileName: string
  now: Date
  dateFormat: string
  startNumber: number
}

/** Computes the values of placeholders. Values that are the same on all pages are cached. */
export class PlaceholderValues {
  private readonly cachedValues = new Map<string, string>()
  private metadata: ReturnType<typeof readMetadata> | undefined

  constructor(private readonly source: Source) {}

  /** Returns the value of a placeholder on a page. */
  valueOf({ name, detail }: Placeholder, pageIndex: number): string {
    const { document, startNumber } = this.source
    if (name === 'page' || name === 'total') {
      const index = name === 'page' ? pageIndex : document.pageCount - 1
      return writeNumeral(startNumber + index, NUMERAL_STYLES.find(style => style === detail) ?? 'decimal')
    }
    const key = `${name}:${detail ?? ''}`
    const value = this.cachedValues.get(key) ?? this.compute(name, detail)
    this.cachedValues.set(key, value)
    return value
  }

  private compute(name: string, detail: string | undefined): string {
    const { document, fileName, now, dateFormat, timezone, locale } = this.source
    if (name === 'date') return formatDate(now, detail ?? dateFormat, { kind: 'date', timezone, locale })
    if (name === 'time') return formatDate(now, detail ?? 'HH:mm', { kind: 'time', timezone, locale })
    if (name === 'filename') return fileName
    const field = FROM_METADATA.find(candidate => candidate === name)
    this.metadata ??= readMetadata(document)
    return clip((field && this.metadata.get(field)) ?? '')
  }
}

/** Returns the text as a single drawable line of limited length. */
function clip(text: string): string {
  const characters = Array.from(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\s\u2028\u2029]+/gu, ' ')
      .trim(),
  )
  return characters.length > MOST_OF_DOCUMENT
    ? `${characters.slice(0, MOST_OF_DOCUMENT - 1).join('')}…`
    : characters.join('')
}
